import {readdir} from 'node:fs/promises'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {seeded} from '../../src/base/dice.ts'
import {type ReproRequest, repro} from '../../src/repro.ts'
import type {RunReport} from '../../src/scenario/report.ts'
import {type Containerd, startContainerd} from '../support/containerd.ts'
import {runPod, startContainer} from '../support/crictl-pods.ts'
import {tempDir} from '../support/socket-dir.ts'

let rig: Containerd

beforeAll(async () => {
  rig = await startContainerd()
})

afterAll(async () => {
  await rig?.[Symbol.asyncDispose]()
})

let runs = 0

async function played(name: string, profile: string, scale: number): Promise<RunReport | undefined> {
  const temporary = tempDir()
  const real = {
    runtimeEndpoint: rig.endpoint,
    cgroupParent: rig.cgroup,
    scale,
    clock: systemClock,
    temporary,
    uids: seeded(++runs),
    signal: new AbortController().signal,
  }
  const request: ReproRequest = {names: [name], profiles: profile, timelines: true, tool: 'kubelimbo 1.0.0', real}
  const {scenarios} = await repro(request)
  expect(await readdir(temporary)).toEqual([])
  return scenarios[0]?.runs[0]
}

const pods = async () => (await rig.crictl('pods', '--quiet')).split('\n').filter(Boolean)
const containers = async () => (await rig.crictl('ps', '--all', '--quiet')).split('\n').filter(Boolean)

// At these scales a sandbox takes a second or two of the kubelet's.
test.for([
  ['failed-becomes-succeeded', '1.36.2', 'fixed', 3],
  ['success-without-status', '1.17.3', 'reproduced', 3],
] as const)('repro() on a real containerd has %s on %s %s, as in simulated time', async ([name, profile, verdict, scale]) => {
  const run = await played(name, profile, scale)
  expect(run?.verdict === verdict || run?.why.includes('; but the kubelet was up to'), run?.why).toBe(true)
  expect(await pods()).toEqual([])
  expect(await containers()).toEqual([])
})

// Of its other container the exit is told only when no relist comes while the sandbox is being stopped: there the pod worker waits for the next one, and by then the
// container is removed. At this scale that takes most of a second.
test('repro() on a real containerd has a container that failed turn into one that succeeded on 1.17.3', async () => {
  const run = await played('failed-becomes-succeeded', '1.17.3', 3)
  expect(run?.given.map(({held}) => held)).toEqual([true, true, true])
  expect(run?.expectations[0]).toMatchObject({what: 'exit code 1 became 0, without a reason, an id or a time', held: true})
})

test("repro() on a real containerd leaves a real kubelet's pods alone", async () => {
  const sandbox = await runPod(rig, {name: 'theirs'})
  const container = await startContainer(rig, sandbox, {name: 'main'})
  const run = await played('terminal-pod-still-running', '1.36.2', 5)
  expect(run?.timeline?.filter((event) => event.kind === 'container' && event.pod === 'default/theirs')).toEqual([])
  expect(run?.timeline?.some((event) => event.kind === 'container' && event.what === 'exited')).toBe(true)
  expect(await pods()).toEqual([sandbox.id])
  expect(JSON.parse(await rig.crictl('inspect', container)).status.state).toBe('CONTAINER_RUNNING')
  await rig.crictl('rmp', '--force', sandbox.id)
})

test('repro() on a real containerd cannot make a process end with the code that a scenario wants, which is inconclusive', async () => {
  const run = await played('fallback-exit-137', '1.36.2', 5)
  expect(run).toMatchObject({verdict: 'inconclusive', met: false, why: expect.stringContaining('its exit code must be 137: it is 3')})
})
