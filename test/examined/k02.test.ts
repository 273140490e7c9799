import {expect, test} from 'vitest'
import {absent, failed} from '../../src/node/reading.ts'
import {rootOf} from '../support/examined/causes.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {healthy} from '../support/examined/healthy.ts'
import {ago, hour, minute, without} from '../support/examined/node.ts'
import {nfsGone} from '../support/examined/pictures.ts'
import {answersSo, hangs, withoutLists} from '../support/examined/runtime.ts'
import {loopStands, nobodyAnswers} from '../support/examined/runtime-pictures.ts'

const process = {pid: 812, program: 'kubelet', startedAt: ago(hour), sameNetwork: true, certain: true}

test('K02 k8s#101622: the kubelet says that its sync loop stands', () => {
  expectOnly(healthy(loopStands), ['K02', 'critical', {kind: 'Kubelet'}])
})

test.each(['refused', 'silent'] as const)('K02 k8s#31272: it runs for a day and its ports are %s', (kind) => {
  expectOnly(
    healthy((node) => nobodyAnswers(node, kind)),
    ['K02', 'error', {kind: 'Kubelet'}],
  )
})

test.each([
  ['401', 'the kubelet answered 401'],
  ['403', 'the kubelet answered 403'],
])('K02 look-alike: it answers %s, and we may not ask', (_, why) => {
  expectAtMostInfo(healthy((node) => nobodyAnswers(node, 'denied', why)))
})

test('K02 look-alike: a certificate that nobody trusts, and we could not look', () => {
  expectAtMostInfo(healthy((node) => nobodyAnswers(node, undefined, 'it shows another certificate')))
})

test('K02 look-alike: healthzPort is 0, and /pods is answered', () => {
  const node = healthy()
  node.readings['kubelet.healthz'] = failed('ECONNREFUSED', 3, 'refused')
  expectAtMostInfo(node)
})

test('K02 look-alike: its server is off, and /healthz is answered', () => {
  const node = healthy()
  for (const name of ['kubelet.pods', 'kubelet.runningpods', 'kubelet.metrics'] as const)
    node.readings[name] = failed('ECONNREFUSED', 3, 'refused')
  expectAtMostInfo(node)
})

test.each([
  ['pleg is slow while the loop turns', '[+]ping ok\n[+]syncloop ok\n[-]pleg failed: reason withheld\nhealthz check failed'],
  ['a proxy answered', '<html><body>502 Bad Gateway: syncloop failed</body></html>'],
  ['the body is empty', ''],
])('K02 look-alike: /healthz is not well, and %s', (_, text) => {
  expectAtMostInfo(healthy((node) => Object.assign(node, {healthz: {ok: false, text}})))
})

test('K02 look-alike: a page of a proxy with the status 200', () => {
  expectSilent(healthy((node) => Object.assign(node, {healthz: {ok: true, text: '<html>welcome</html>'}})))
})

test('K02 look-alike: an idle kubelet has not logged for half an hour', () => {
  const node = healthy()
  node.log = []
  node.says(30 * minute, 'I', '"SyncLoop (housekeeping)"')
  expectAtMostInfo(node)
})

test('K02 no kubelet was seen to run: nothing above info', () => {
  const node = healthy((each) => nobodyAnswers(each, 'refused'))
  node.kubeletProcess = undefined
  expectAtMostInfo(node)
})

test.each([
  ['it has started a minute ago', {startedAt: ago(minute)}],
  ['it has started 4 minutes ago', {startedAt: ago(4 * minute)}],
  ['it has started in the future, by a step of the clock', {startedAt: ago(-40)}],
  ['its network namespace is another', {sameNetwork: false}],
  ['its settings could not be read', {certain: false}],
])('K02 its ports are refused and %s: nothing above info', (_, change) => {
  const node = healthy((each) => nobodyAnswers(each, 'refused'))
  node.kubeletProcess = {...process, ...change}
  expectAtMostInfo(node)
})

test('K02 nobody could tell its network namespace or when it started: nothing above info', () => {
  const node = healthy((each) => nobodyAnswers(each, 'refused'))
  node.kubeletProcess = {pid: 812, program: 'kubelet', certain: true}
  expectAtMostInfo(node)
})

test('K02 that it stands was read of it, whatever we know of its process', () => {
  const node = healthy(loopStands)
  node.kubeletProcess = undefined
  expectOnly(node, ['K02', 'critical', {kind: 'Kubelet'}])
})

test('K02 /healthz was not read: the loop may stand or not', () => {
  expectNone(without(healthy(loopStands).snapshot(), 'kubelet.healthz'), 'K02')
})

test('K02 nothing was asked of the kubelet: nothing is concluded', () => {
  const node = healthy()
  for (const name of ['kubelet.pods', 'kubelet.runningpods', 'kubelet.healthz', 'kubelet.metrics'] as const)
    node.readings[name] = absent('not captured')
  expectNone(node, 'K02')
})

test('K02 a mount that hangs is named as the cause', () => {
  const report = reportOf(healthy((node) => nfsGone(node)))
  expect(report.findings.map(({code}) => code)).toContain('K02')
  expect(rootOf(report, 'K02')).toBe('V09')
})

test('K02 a runtime that hangs is named as the cause', () => {
  const node = healthy((each) => {
    loopStands(each)
    answersSo(each, 'ListPodSandbox', hangs())
    withoutLists(each, 'nothing came', 'silent')
  })
  expect(rootOf(expectOnly(node, ['K02', 'critical'], ['R01', 'critical']), 'K02')).toBe('R01')
})

test('K02 images that hang do not hold the loop', () => {
  const node = healthy((each) => {
    loopStands(each)
    answersSo(each, 'ListImages', hangs())
  })
  expect(rootOf(expectOnly(node, ['K02', 'critical'], ['R01', 'warning']), 'K02')).toBe('K02')
})
