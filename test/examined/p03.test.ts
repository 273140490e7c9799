import {expect, test} from 'vitest'
import type {ContainerState as StatusOf} from '../../src/node/pod.ts'
import {absent} from '../../src/node/reading.ts'
import {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {healthy, web} from '../support/examined/healthy.ts'
import {ago, day, type ExaminedNode, hour, minute} from '../support/examined/node.ts'

const id = `c-${web}`
const located = 'The container could not be located when the pod was terminated'
const fallback: StatusOf = {
  name: 'app',
  kind: 'regular',
  state: 'terminated',
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: located,
  containerId: id,
}
const bare: StatusOf = {name: 'app', kind: 'regular', state: 'terminated', exitCode: 0}
const times = {startedAt: ago(day), finishedAt: ago(hour), containerId: id, terminatedId: id}

/** The pod has ended; its record is gone from the runtime, or says how it ended. */
function ended(node: ExaminedNode, status: StatusOf, {phase = 'Failed', exitCode = undefined as number | undefined} = {}): void {
  node.stop(web)
  if (exitCode === undefined) node.runs('web-0', web, {ready: false, state: ContainerState.CONTAINER_EXITED})
  if (exitCode === undefined) node.containers = node.containers.filter((each) => each.id !== id)
  else {
    node.runs('web-0', web, {ready: false, started: 2 * hour, state: ContainerState.CONTAINER_EXITED})
    node.containerStatuses.set(id, {exitCode, reason: exitCode === 0 ? 'Completed' : 'Error'})
  }
  node.changePod(web, {phase, restartPolicy: 'Never', createdAt: ago(2 * hour), containers: [status]})
}

test('P03 k8s#104107: the fallback of 137, and the runtime forgot the container', () => {
  const report = expectOnly(
    healthy((node) => ended(node, fallback)),
    ['P03', 'warning'],
  )
  expect(JSON.stringify(report.findings[0]?.subject)).toContain(web)
})

test('P03 k8s#104107: the runtime still knows that it exited with 0, and P03 says so', () => {
  const report = reportOf(healthy((node) => ended(node, fallback, {exitCode: 0})))
  const found = report.findings.filter(({code}) => code === 'P03')
  expect(found.map(({severity}) => severity)).toEqual(['warning'])
  expect(JSON.stringify(found)).toMatch(/exit(ed)?( code)?( with)? 0|exitCode 0/i)
})

test('P03 k8s#58711: a success without a time, a reason or a container, by 1.17.3', () => {
  const node = healthy((each) => {
    each.version = '1.17.3'
    ended(each, bare, {phase: 'Succeeded'})
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({code}) => code === 'P03').map(({severity}) => severity)).toEqual(['error'])
})

test.each([
  ['OOMKilled', {exitCode: 137, reason: 'OOMKilled', ...times}],
  ['SIGKILL after its grace', {exitCode: 137, reason: 'Error', ...times}],
  ['SIGTERM', {exitCode: 143, reason: 'Error', ...times}],
])('P03 look-alike: a real end: %s', (_, end) => {
  const {exitCode} = end
  expectSilent(healthy((node) => ended(node, {name: 'app', kind: 'regular', state: 'terminated', ...end}, {exitCode})))
})

test('P03 look-alike: a real success', () => {
  const end: StatusOf = {name: 'app', kind: 'regular', state: 'terminated', exitCode: 0, reason: 'Completed', ...times}
  expectSilent(healthy((node) => ended(node, end, {phase: 'Succeeded', exitCode: 0})))
})

test('P03 look-alike: 1.18 to 1.22 show a container that was created and never started as exit 0 with its id', () => {
  const node = healthy((each) => {
    each.version = '1.18.2'
    each.stop(web)
    each.changePod(web, {phase: 'Pending', createdAt: ago(minute), containers: [{...bare, containerId: id, terminatedId: id}]})
  })
  expectNone(node, 'P03')
})

test('P03 look-alike: 1.36 writes exit 0 for an init container that must have ended well', () => {
  const init: StatusOf = {
    ...bare,
    name: 'init',
    kind: 'init',
    reason: 'Completed',
    message: 'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally',
  }
  const node = healthy((each) =>
    each.changePod(web, {containers: [init, {name: 'app', kind: 'regular', state: 'running', startedAt: ago(day), containerId: id}]}),
  )
  expectSilent(node)
})

test('P03 the node has started anew since: at most info', () => {
  const node = healthy((each) => ended(each, fallback))
  node.bootedAgo = 30 * minute
  expectAtMostInfo(node)
})

test('P03 the pod was evicted: at most info', () => {
  const node = healthy((each) => {
    ended(each, fallback)
    each.changePod(web, {reason: 'Evicted'})
  })
  expectAtMostInfo(node)
})

test('P03 the made-up success stays an error after a reboot: nothing made it true', () => {
  const node = healthy((each) => {
    each.version = '1.17.3'
    ended(each, bare, {phase: 'Succeeded'})
    each.bootedAgo = 30 * minute
  })
  expect(
    reportOf(node)
      .findings.filter(({code}) => code === 'P03')
      .map(({severity}) => severity),
  ).toEqual(['error'])
})

test('P03 it is said of the container before this one, in a pod that runs', () => {
  const last = {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was deleted.  The container used to be Running',
  }
  const node = healthy((each) =>
    each.changePod(web, {
      containers: [{name: 'app', kind: 'regular', state: 'running', startedAt: ago(hour), containerId: id, restarts: 1, last}],
    }),
  )
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'error' || severity === 'critical').map(({code}) => code)).toEqual([])
})

test.each(['kubelet.pods', 'api.pods'] as const)('P03 %s was not read: the other tells the same', (source) => {
  const node = healthy((each) => ended(each, fallback))
  node.readings[source] = absent('not captured')
  expectOnly(node, ['P03', 'warning'])
})

test('P03 the API server alone has it', () => {
  const node = healthy((each) => ended(each, fallback))
  node.pods = node.pods.filter(({uid}) => uid !== web)
  expect(
    reportOf(node)
      .findings.filter(({code}) => code === 'P03')
      .map(({severity}) => severity),
  ).toEqual(['warning'])
})

test('P03 neither list of pods was read: it is not looked for', () => {
  const node = healthy((each) => ended(each, fallback))
  for (const source of ['kubelet.pods', 'api.pods'] as const) node.readings[source] = absent('not captured')
  expect(expectNone(node, 'P03').looked).not.toContain('P03')
})

test('P03 the runtime was not read: it is as grave, and does not claim what the runtime says', () => {
  const node = healthy((each) => ended(each, fallback))
  for (const source of ['runtime.containers', 'runtime.container-status', 'runtime.sandboxes'] as const)
    node.readings[source] = absent('not captured')
  expectOnly(node, ['P03', 'warning'])
})

test('P03 exit 0 without a reason, and with times', () => {
  expectNone(
    healthy((node) => ended(node, {...bare, ...times}, {phase: 'Succeeded', exitCode: 0})),
    'P03',
  )
})

test('P03 nobody runs a command that changes something for it', () => {
  const {findings} = reportOf(healthy((node) => ended(node, fallback)))
  expect(
    findings.flatMap(({remedy}) => remedy.map(({command}) => command)).filter((command) => /\b(rm|delete|restart)\b/.test(command)),
  ).toEqual([])
})

test('P03 the node started anew yesterday, and its pods run since: the end before that is no news', () => {
  const last = {exitCode: 137, reason: 'ContainerStatusUnknown', message: located}
  const node = healthy((each) =>
    each.changePod(web, {
      createdAt: ago(3 * day),
      containers: [{name: 'app', kind: 'regular', state: 'running', startedAt: ago(day - minute), containerId: id, restarts: 1, last}],
    }),
  )
  expectAtMostInfo(node)
})
