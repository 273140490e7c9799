import {expect, test} from 'vitest'
import {failed, read} from '../../src/node/reading.ts'
import {ContainerState, type PodSandboxState} from '../../src/wire/gen/cri_pb.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf, unseenOf} from '../support/examined/expect.ts'
import {gone, healthy, proxy} from '../support/examined/healthy.ts'
import {ago, day, hour, minute} from '../support/examined/node.ts'
import {job} from '../support/examined/pictures.ts'
import {addContainer, addSandbox, nanos} from '../support/examined/runtime.ts'
import {replaced, sandboxLeft} from '../support/examined/runtime-pictures.ts'

const id = `s-${gone}-0`

test('R02 containerd#6565: a sandbox that is not ready of a pod that went two hours ago', () => {
  const report = expectOnly(healthy(sandboxLeft), ['R02', 'warning'])
  expect(JSON.stringify(report.findings[0]?.subject)).toContain(gone)
  expect(report.findings.flatMap(({remedy}) => remedy.map(({command}) => command)).join('\n')).toContain(id)
})

test('R02 the same sandbox is READY', () => {
  expectOnly(
    healthy((node) => sandboxLeft(node, true)),
    ['R02', 'error'],
  )
})

test('R02 look-alike: a completed pod keeps one sandbox that is not ready, by design', () => {
  const containers = [
    {name: 'app', kind: 'regular', state: 'terminated', exitCode: 0, reason: 'Completed', containerId: `c-${job}`},
  ] as const
  expectSilent(
    healthy((node) => {
      node.pod('job-0', job, [], {
        phase: 'Succeeded',
        containers: containers.map((each) => ({...each, finishedAt: ago(hour), terminatedId: `c-${job}`})),
      })
      node.runs('job-0', job, {ready: false, state: ContainerState.CONTAINER_EXITED})
    }),
  )
})

test('R02 look-alike: an older sandbox whose ended container is kept for its log', () => {
  expectSilent(healthy((node) => replaced(node, {withContainer: true})))
})

test('R02 look-alike: crictl made a sandbox, without the labels of a kubelet', () => {
  expectSilent(healthy((node) => addSandbox(node, {uid: 'hdishd83djaidwnduwk28bcsb', name: 'nginx-sandbox', labelled: false, ready: true})))
})

test('R02 look-alike: its metadata is null and it has no labels', () => {
  const node = healthy((each) => addSandbox(each, {uid: gone, labelled: false, ready: true}))
  node.sandboxes = node.sandboxes.map((each) => {
    if (each.id !== id) return each
    const {metadata: _, ...bare} = each
    return bare
  })
  expectSilent(node)
})

test('R02 look-alike: a static pod whose mirror has another UID', () => {
  expectSilent(healthy((node) => expect(node.apiPods.map(({uid}) => uid)).not.toContain(proxy)))
})

test('R02 containerd#7988: an older sandbox is left since the pod got another an hour ago', () => {
  expectOnly(healthy(replaced), ['R02', 'warning'])
})

test('R02 the older sandbox is READY, too', () => {
  expectOnly(
    healthy((node) => replaced(node, {ready: true})),
    ['R02', 'error'],
  )
})

test('R02 the pod got another sandbox 3 minutes ago: at most info', () => {
  expectAtMostInfo(healthy((node) => replaced(node, {age: 3 * minute})))
})

test.each(['kubelet', 'API server'])('R02 only the %s knows the pod', (who) => {
  const node = healthy((each) => {
    sandboxLeft(each, true)
    each.pod('last-0', gone, [], {phase: 'Pending', containers: []})
  })
  if (who === 'kubelet') node.apiPods = node.apiPods.filter(({uid}) => uid !== gone)
  else node.pods = node.pods.filter(({uid}) => uid !== gone)
  expectNone(node, 'R02')
})

test.each([20, 5 * minute, 9 * minute])('R02 pods/ changed and the log says REMOVE %d s ago: at most info', (seconds) => {
  expectAtMostInfo(
    healthy((node) => {
      sandboxLeft(node, true)
      node.dir('pods', seconds)
      node.says(seconds, 'I', `"SyncLoop REMOVE" source="api" pods=["shop/last-0"]`)
    }),
  )
})

test('R02 nothing tells since when: at most info', () => {
  const node = healthy((each) => sandboxLeft(each, true))
  node.dir('pods', null)
  node.log = []
  node.readings['kubelet.log'] = failed('EACCES')
  expectAtMostInfo(node)
})

test('R02 the kubelet has started a minute ago: at most info', () => {
  const node = healthy((each) => sandboxLeft(each, true))
  node.kubeletProcess = {pid: 812, program: 'kubelet', startedAt: ago(minute), sameNetwork: true, certain: true}
  expectAtMostInfo(node)
})

test("R02 the kubelet's list broke off: nothing is concluded from what it lacks", () => {
  const node = healthy((each) => sandboxLeft(each, true))
  node.readings['kubelet.pods'] = read(node.pods.slice(0, 2), 'the reply broke off')
  expect(expectNone(node, 'R02').looked).not.toContain('R02')
})

test('R02 the list of sandboxes broke off: nothing is above what it was', () => {
  const node = healthy(sandboxLeft)
  node.readings['runtime.sandboxes'] = read(node.sandboxes, 'the reply broke off')
  expectNone(node, 'R02')
})

test("R02 the kubelet's list is empty while sandboxes are READY", () => {
  const node = healthy((each) => sandboxLeft(each, true))
  node.pods = []
  expect(unseenOf(expectNone(node, 'R02'), 'kubelet.pods')).not.toBe('')
})

test('R02 a static pod whose file was removed two hours ago, UID of 32 hexadecimal digits', () => {
  const uid = 'abcdefabcdefabcdefabcdefabcdefab'
  const report = expectOnly(
    healthy((node) => addSandbox(node, {uid, name: 'old-n1'})),
    ['R02', 'warning'],
  )
  expect(JSON.stringify(report.findings[0]?.subject)).toContain(uid)
})

test('R02 the same id is listed twice: it is told once', () => {
  expectOnly(
    healthy((node) => {
      sandboxLeft(node)
      sandboxLeft(node)
    }),
    ['R02', 'warning'],
  )
})

test('R02 the state is one that we do not know: it is not READY', () => {
  const node = healthy((each) => addSandbox(each, {uid: gone, state: 7 as PodSandboxState}))
  expect(
    reportOf(node)
      .findings.filter(({severity}) => severity === 'error' || severity === 'critical')
      .map(({code}) => code),
  ).toEqual([])
})

test.each([
  ['0', 0n],
  ['2 hours in the future', nanos(-2 * hour)],
  ['in seconds', BigInt(ago(day)) / 1000n],
])('R02 createdAt is %s: the leftover is as grave as before, and R10 is a warning', (_, created) => {
  const node = healthy((each) => addSandbox(each, {uid: gone, created}))
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'error' || severity === 'critical').map(({code}) => code)).toEqual([])
  expect(findings.filter(({code}) => code === 'R10').map(({severity}) => severity)).toEqual(['warning'])
})

test('R02 a step of the clock by -40 s: the sandbox of a new pod is from the future', () => {
  expectAtMostInfo(healthy((node) => addSandbox(node, {uid: gone, created: -40, ready: true})))
})

test.each(["it's", '$(x)', 'a;b', 'ü x'])('R02 the id is %j: it is one word of the command', (strange) => {
  const node = healthy((each) => addSandbox(each, {uid: gone, id: strange}))
  const report = expectOnly(node, ['R02', 'warning'])
  for (const {command} of report.findings.flatMap(({remedy}) => remedy)) expect(command).not.toMatch(/ \$\(x\)| a;b/)
})

test.each([ContainerState.CONTAINER_EXITED, ContainerState.CONTAINER_CREATED])(
  'R02 pods/ has not changed for hours, and a container of state %d was made 5 minutes ago: the kubelet had the pod then',
  (state) => {
    const node = healthy((each) => {
      sandboxLeft(each, true)
      addContainer(each, {uid: gone, state, created: 5 * minute, sandbox: id})
    })
    expectAtMostInfo(node)
    node.readings['runtime.containers'] = failed('it hung', 10_000, 'silent')
    node.readings['runtime.container-status'] = failed('it hung', 10_000, 'silent')
    expect(reportOf(node).findings.filter(({code, severity}) => code === 'R02' && severity !== 'info')).toEqual([])
  },
)
