import {expect, test} from 'vitest'
import type {Pod, ContainerState as StatusOf} from '../../src/node/pod.ts'
import {absent, read} from '../../src/node/reading.ts'
import {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {rootOf} from '../support/examined/causes.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {healthy, web} from '../support/examined/healthy.ts'
import {ago, day, type ExaminedNode, hour} from '../support/examined/node.ts'
import {addContainer, nanos, processGone} from '../support/examined/runtime.ts'

const id = `c-${web}`

function endOf(exitCode: number, more: Partial<StatusOf> = {}): StatusOf {
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  const times = {startedAt: ago(day), finishedAt: ago(hour), containerId: id, terminatedId: id}
  return {name: 'app', kind: 'regular', state: 'terminated', exitCode, reason, ...times, ...more}
}

interface Ended extends Partial<Pod> {
  /** What the runtime says; it still runs where there is none. */
  readonly real?: number
  readonly finished?: number
}

/** The pod has ended an hour ago. */
function ended(node: ExaminedNode, {real = undefined, finished = hour, ...pod}: Ended): void {
  if (real !== undefined) {
    node.stop(web)
    node.runs('web-0', web, {ready: false, state: ContainerState.CONTAINER_EXITED})
    node.containerStatuses.set(id, {exitCode: real, reason: real === 0 ? 'Completed' : 'Error', finishedAt: nanos(finished)})
  }
  node.changePod(web, {restartPolicy: 'Never', ...pod})
}

test('P04 k8s#58711: Succeeded, and its container failed', () => {
  const report = expectOnly(
    healthy((node) => ended(node, {phase: 'Succeeded', containers: [endOf(2)], real: 2})),
    ['P04', 'error'],
  )
  expect(JSON.stringify(report.findings[0]?.subject)).toContain(web)
})

test('P04 the status says exit 0, and the runtime exit 1', () => {
  expectOnly(
    healthy((node) => ended(node, {phase: 'Succeeded', containers: [endOf(0)], real: 1})),
    ['P04', 'error'],
  )
})

test('P04 the status says that it has ended, and the same container runs', () => {
  const report = reportOf(healthy((node) => ended(node, {phase: 'Failed', containers: [endOf(1)]})))
  expect(report.findings.filter(({severity}) => severity !== 'info').map(({code, severity}) => `${code} ${severity}`)).toEqual([
    'P04 error',
  ])
})

test.each([
  ['evicted', {reason: 'Evicted', message: 'The node was low on resource: memory.'}],
  ['past its deadline', {reason: 'DeadlineExceeded'}],
])('P04 look-alike: Failed, as it was %s, and its container ended well', (_, pod) => {
  expectSilent(healthy((node) => ended(node, {phase: 'Failed', containers: [endOf(0)], real: 0, ...pod})))
})

test('P04 look-alike: OnFailure: it failed twice, and then ended well', () => {
  const last = {exitCode: 1, reason: 'Error', startedAt: ago(day), finishedAt: ago(2 * hour), containerId: 'c-1'}
  const node = healthy((each) => {
    ended(each, {phase: 'Succeeded', restartPolicy: 'OnFailure', containers: [endOf(0, {restarts: 2, last})], real: 0})
    addContainer(each, {uid: web, podName: 'web-0', id: 'c-1', attempt: 0, state: ContainerState.CONTAINER_EXITED})
    each.containers = each.containers.map((one) =>
      one.id === id && one.metadata ? {...one, metadata: {...one.metadata, attempt: 2}, createdAt: nanos(2 * hour)} : one,
    )
    each.containerStatuses.set('c-1', {exitCode: 1, reason: 'Error'})
  })
  expectSilent(node)
})

test('P04 look-alike: a sidecar was ended by a signal, and its pod Succeeded', () => {
  const side = endOf(143, {name: 'side', kind: 'init', containerId: 'c-side', terminatedId: 'c-side'})
  expectSilent(healthy((node) => ended(node, {phase: 'Succeeded', containers: [endOf(0), side], real: 0})))
})

test('P04 look-alike: a container with a restart rule of its own', () => {
  expectAtMostInfo(healthy((node) => ended(node, {phase: 'Succeeded', ownRestarts: ['app'], containers: [endOf(3)], real: 3})))
})

test('P04 look-alike: every container has ended while the phase is Running, for a moment', () => {
  const now = endOf(0, {finishedAt: ago(2)})
  expectAtMostInfo(healthy((node) => ended(node, {phase: 'Running', containers: [now], real: 0, finished: 2})))
})

test('P04 look-alike: the API server hears of the end some seconds late', () => {
  const node = healthy((each) => ended(each, {phase: 'Succeeded', containers: [endOf(0, {finishedAt: ago(3)})], real: 0, finished: 3}))
  const late: Partial<Pod> = {
    phase: 'Running',
    containers: [{name: 'app', kind: 'regular', state: 'running', startedAt: ago(day), containerId: id}],
  }
  node.apiPods = node.apiPods.map((pod) => (pod.uid === web ? {...pod, ...late} : pod))
  expectAtMostInfo(node)
})

test('P04 look-alike: deleted while Running, an Always pod ends as Failed (1.27 and later)', () => {
  expectAtMostInfo(
    healthy((node) =>
      ended(node, {
        phase: 'Failed',
        restartPolicy: 'Always',
        deletedAt: ago(5),
        containers: [endOf(137, {finishedAt: ago(5)})],
        real: 137,
        finished: 5,
      }),
    ),
  )
})

test('P04 look-alike: Failed, and another container of the pod runs on within its grace', () => {
  const running = {name: 'side', kind: 'regular', state: 'running', startedAt: ago(day), containerId: 'c-side'} as const
  const node = healthy((each) => {
    ended(each, {phase: 'Failed', reason: 'DeadlineExceeded', containers: [endOf(0, {finishedAt: ago(5)}), running], real: 0, finished: 5})
    addContainer(each, {uid: web, podName: 'web-0', id: 'c-side', name: 'side', sandbox: `s-${web}`})
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'error' || severity === 'critical').map(({code}) => code)).toEqual([])
})

test('P04 the kubelet says Failed and the API server Succeeded: warning', () => {
  const node = healthy((each) => ended(each, {phase: 'Failed', containers: [endOf(1)], real: 1}))
  node.apiPods = node.apiPods.map((pod) => (pod.uid === web ? {...pod, phase: 'Succeeded', containers: []} : pod))
  expectOnly(node, ['P04', 'warning'])
})

test('P04 k8s#125410: the kubelet says Succeeded and the API server Failed: warning', () => {
  const node = healthy((each) => ended(each, {phase: 'Succeeded', containers: [endOf(0)], real: 0}))
  node.apiPods = node.apiPods.map((pod) => (pod.uid === web ? {...pod, phase: 'Failed'} : pod))
  expectOnly(node, ['P04', 'warning'])
})

// Both are phases that never change again, so it is no lag, however young.
test('P04 they differ since 5 s: warning', () => {
  const node = healthy((each) => ended(each, {phase: 'Failed', containers: [endOf(1, {finishedAt: ago(5)})], real: 1, finished: 5}))
  node.apiPods = node.apiPods.map((pod) => (pod.uid === web ? {...pod, phase: 'Succeeded', containers: []} : pod))
  expectOnly(node, ['P04', 'warning'])
})

test('P04 the container that runs has no process (R08): nothing runs', () => {
  const node = healthy((each) => {
    ended(each, {phase: 'Failed', containers: [endOf(1)]})
    processGone(each, id)
  })
  expectNone(node, 'P04')
})

test('P04 k8s#90636: a made-up success is P03, and P04 follows from it', () => {
  const node = healthy((each) => {
    each.version = '1.17.3'
    ended(each, {phase: 'Succeeded', containers: [{name: 'app', kind: 'regular', state: 'terminated', exitCode: 0}], real: 1})
  })
  const report = reportOf(node)
  expect(report.findings.map(({code}) => code)).toContain('P03')
  if (report.findings.some(({code}) => code === 'P04')) expect(rootOf(report, 'P04')).toBe('P03')
})

test('P04 the status names another container: how that one ended is not known', () => {
  const node = healthy((each) =>
    ended(each, {phase: 'Succeeded', containers: [endOf(0, {containerId: 'c-other', terminatedId: 'c-other'})], real: 1}),
  )
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'error' || severity === 'critical').map(({code}) => code)).toEqual([])
})

test('P04 the runtime does not know how it ended (UNKNOWN, 255)', () => {
  const node = healthy((each) => {
    ended(each, {phase: 'Succeeded', containers: [endOf(0)], real: 0})
    each.containers = each.containers.map((one) => (one.id === id ? {...one, state: ContainerState.CONTAINER_UNKNOWN} : one))
    each.containerStatuses.set(id, {state: ContainerState.CONTAINER_UNKNOWN, exitCode: 255, reason: 'Unknown'})
  })
  expectAtMostInfo(node)
})

test.each(['kubelet.pods', 'api.pods'] as const)('P04 %s was not read: the other tells the same', (source) => {
  const node = healthy((each) => ended(each, {phase: 'Succeeded', containers: [endOf(2)], real: 2}))
  node.readings[source] = absent('not captured')
  expectOnly(node, ['P04', 'error'])
})

test('P04 the API server alone has the pod', () => {
  const node = healthy((each) => ended(each, {phase: 'Succeeded', containers: [endOf(2)], real: 2}))
  node.pods = node.pods.filter(({uid}) => uid !== web)
  expect(
    reportOf(node)
      .findings.filter(({code}) => code === 'P04')
      .map(({severity}) => severity),
  ).toEqual(['error'])
})

test('P04 the runtime was not read: the status contradicts itself', () => {
  const node = healthy((each) => ended(each, {phase: 'Succeeded', containers: [endOf(2)], real: 2}))
  for (const source of ['runtime.containers', 'runtime.container-status', 'runtime.sandboxes'] as const)
    node.readings[source] = absent('not captured')
  expectOnly(node, ['P04', 'error'])
})

test('P04 the list of containers broke off: what is listed still runs', () => {
  const node = healthy((each) => ended(each, {phase: 'Failed', containers: [endOf(1)]}))
  node.readings['runtime.containers'] = read(node.containers, 'the reply broke off')
  expect(
    reportOf(node)
      .findings.filter(({severity}) => severity === 'critical')
      .map(({code}) => code),
  ).toEqual([])
})

test('P04 a step of the clock by -40 s: it ended in the future', () => {
  const node = healthy((each) =>
    ended(each, {phase: 'Failed', reason: 'Evicted', containers: [endOf(0, {finishedAt: ago(-40)})], real: 0, finished: -40}),
  )
  expectAtMostInfo(node)
})

test('P04 a static pod has ended, and its mirror has another UID: one pod, one finding at most', () => {
  const node = healthy((each) => ended(each, {phase: 'Succeeded', configSource: 'file', containers: [endOf(2)], real: 2}))
  const mirror = '88888888-8888-4888-8888-888888888888'
  node.apiPods = node.apiPods.map((pod) => (pod.uid === web ? {...pod, uid: mirror, staticUid: web} : pod))
  expect(reportOf(node).findings.filter(({code}) => code === 'P04')).toHaveLength(1)
})

test('P04 look-alike: an ephemeral container failed, and its pod Succeeded', () => {
  const debug = endOf(1, {name: 'debug', kind: 'ephemeral', containerId: 'c-debug', terminatedId: 'c-debug'})
  expectSilent(healthy((node) => ended(node, {phase: 'Succeeded', containers: [endOf(0), debug], real: 0})))
})

test('P04 look-alike: an init container failed once, and ended well on the next try', () => {
  const last = {exitCode: 1, reason: 'Error', startedAt: ago(day), finishedAt: ago(day), containerId: 'c-init-0'}
  const init = endOf(0, {name: 'init', kind: 'init', containerId: 'c-init-1', terminatedId: 'c-init-1', restarts: 1, last})
  expectSilent(healthy((node) => ended(node, {phase: 'Succeeded', restartPolicy: 'OnFailure', containers: [endOf(0), init], real: 0})))
})
