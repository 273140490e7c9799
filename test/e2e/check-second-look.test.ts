// A check of a live node looks again at what is young, and believes the second look.
import {basename, join} from 'node:path'
import {expect, test} from 'vitest'
import {ContainerState, PodSandboxState} from '../../src/wire/gen/cri_pb.ts'
import {bareMachine} from '../support/bare-machine.ts'
import {type FakeRuntime, fakeRuntime} from '../support/fake-runtime.ts'
import {kubelimbo} from '../support/kubelimbo.ts'
import {until} from '../support/until.ts'

const uid = '11111111-1111-4111-8111-111111111111'
const line = 'looking again in 5s, as these may be on their way: R06 (--once: do not)'

const {root, flags} = bareMachine()

/** Two containers of one name run; the younger one was made a moment ago. */
function twins() {
  const labels = {'io.kubernetes.pod.uid': uid, 'io.kubernetes.pod.name': 'web-0', 'io.kubernetes.pod.namespace': 'default'}
  const ago = (seconds: number) => BigInt(Date.now() - seconds * 1000) * 1_000_000n
  const twin = (id: string, attempt: number, seconds: number) => ({
    id,
    podSandboxId: 's1',
    metadata: {name: 'app', attempt},
    state: ContainerState.CONTAINER_RUNNING,
    createdAt: ago(seconds),
    labels,
  })
  const containers = [twin('first', 0, 3600), twin('second', 1, 5)]
  const status = ({id, state, createdAt}: ReturnType<typeof twin>) => ({status: {id, state, createdAt, startedAt: createdAt}})
  return {
    sandboxes: [
      {
        id: 's1',
        metadata: {name: 'web-0', uid, namespace: 'default'},
        state: PodSandboxState.SANDBOX_READY,
        createdAt: ago(3600),
        labels,
      },
    ],
    containers,
    statuses: Object.fromEntries(containers.map((each) => [each.id, status(each)])),
  }
}

async function checked(
  runtime: Parameters<typeof fakeRuntime>[0],
  args: readonly string[],
  meanwhile: (runtime: FakeRuntime) => Promise<void> = async () => {},
) {
  await using served = await fakeRuntime(runtime)
  const [result] = await Promise.all([
    kubelimbo(['check', '-r', `unix:///${basename(runtime.path)}`, '-o', 'json', ...flags, ...args]),
    meanwhile(served),
  ])
  const {findings}: {findings: {code: string}[]} = JSON.parse(result.stdout)
  const lists = served.calls.filter((call) => call === 'ListContainers').length
  return {codes: findings.map(({code}) => code), stderr: result.stderr, lists}
}

test.concurrent('check looks again at what is young, says so, and keeps what is still there', async () => {
  const {codes, stderr, lists} = await checked({path: join(root, '1.sock'), ...twins()}, [])
  expect([codes, stderr, lists]).toEqual([['R06'], line, 2])
})

test.concurrent('check drops what was gone at the second look', async () => {
  const node = twins()
  const {codes, stderr, lists} = await checked({path: join(root, '2.sock'), ...node}, [], async ({calls}) => {
    await until(async () => expect(calls).toContain('ContainerStatus second'))
    node.containers.pop()
  })
  expect([codes, stderr, lists]).toEqual([[], line, 2])
})

test.concurrent('check --once believes the first look', async () => {
  const {codes, stderr, lists} = await checked({path: join(root, '3.sock'), ...twins()}, ['--once'])
  expect([codes, stderr, lists]).toEqual([['R06'], '', 1])
})

test.concurrent('check says so when the deadline leaves no time for a second look', async () => {
  const {codes, stderr, lists} = await checked({path: join(root, '4.sock'), ...twins()}, ['--deadline', '9s'])
  expect([codes, stderr, lists]).toEqual([['R06'], 'no time is left to look again at R06: give it longer with --deadline', 1])
})
