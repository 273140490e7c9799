import {expect, test} from 'vitest'
import {absent, failed} from '../../src/node/reading.ts'
import type {CallOutcome} from '../../src/node/runtime/answers.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf, unseenOf} from '../support/examined/expect.ts'
import {db, healthy, proxy, scratch, web} from '../support/examined/healthy.ts'
import type {ExaminedNode} from '../support/examined/node.ts'
import {answersSo, hangs, withoutLists} from '../support/examined/runtime.ts'
import {listHangs} from '../support/examined/runtime-pictures.ts'

const refused: CallOutcome = {
  state: 'failed',
  kind: 'refused',
  code: 'UNAVAILABLE',
  why: 'nobody listens on /run/containerd/containerd.sock',
}
const missing: CallOutcome = {state: 'failed', kind: 'missing', code: 'UNAVAILABLE', why: 'there is no /run/containerd/containerd.sock'}
const disabled: CallOutcome = {state: 'failed', kind: 'no-service', code: 'UNIMPLEMENTED', why: 'unknown service runtime.v1.RuntimeService'}

function answer(why: string): CallOutcome {
  return {state: 'failed', kind: 'answered', code: 'UNKNOWN', why}
}

function unreached(node: ExaminedNode, outcome: CallOutcome, method: 'connect' | 'Version' = 'connect'): void {
  answersSo(node, method, outcome)
  withoutLists(node, 'the runtime was not reached', outcome.state === 'silent' ? 'silent' : 'refused')
}

test('R01 containerd#12680: ListContainers hangs while the others are answered', () => {
  const report = expectOnly(healthy(listHangs), ['R01', 'critical', {kind: 'Runtime'}])
  expect(JSON.stringify(report.findings)).toContain('ListContainers')
})

test('R01 look-alike: an answer that took 3 s, on a node under load', () => {
  expectSilent(healthy((node) => answersSo(node, 'ListContainers', {state: 'answered', tookMs: 3000})))
})

test('R01 look-alike: the network is not ready', () => {
  const network = {type: 'NetworkReady', status: false, reason: 'NetworkPluginNotReady', message: 'cni plugin not initialized'}
  const node = healthy()
  node.answers = {...node.answers, conditions: [...node.answers.conditions.filter(({type}) => type !== 'NetworkReady'), network]}
  expectSilent(node)
})

test('R01 look-alike: cri#1018, "server is not initialized yet"', () => {
  const node = healthy((each) => {
    for (const method of ['Status', 'ListPodSandbox', 'ListContainers', 'ListImages'] as const)
      answersSo(each, method, answer('server is not initialized yet'))
    withoutLists(each, 'server is not initialized yet')
  })
  expectAtMostInfo(node)
})

test('R01 look-alike: the images have a socket of their own', () => {
  expectAtMostInfo(healthy((node) => answersSo(node, 'ListImages', disabled)))
})

test.each(['received message larger than max (4564414 vs. 4194304)', 'trying to send message larger than max (16795768 vs. 16777216)'])(
  'R01 look-alike: the runtime answers, and %s',
  (why) => {
    const node = healthy((each) => {
      answersSo(each, 'ListContainers', {state: 'failed', kind: 'too-large', code: 'RESOURCE_EXHAUSTED', why})
      withoutLists(each, why, undefined, ['runtime.containers', 'runtime.container-status'])
    })
    expectAtMostInfo(node)
  },
)

test('R01 look-alike: a socket that this user may not open', () => {
  const node = healthy((each) => withoutLists(each, 'EACCES', 'denied'))
  node.readings['runtime.answers'] = failed('EACCES', undefined, 'denied')
  expectAtMostInfo(node)
})

test.each([
  ['connect', 'critical'],
  ['Version', 'critical'],
  ['ListPodSandbox', 'critical'],
  ['Status', 'error'],
  ['ListImages', 'warning'],
] as const)('R01 only %s hangs: %s', (method, severity) => {
  const node = healthy((each) => {
    if (method === 'connect' || method === 'Version') unreached(each, hangs(), method)
    else answersSo(each, method, hangs())
    if (method === 'ListPodSandbox') withoutLists(each, 'nothing came', 'silent', ['runtime.sandboxes'])
  })
  expectOnly(node, ['R01', severity, {kind: 'Runtime'}])
})

test('R01 ListContainers was waited for 2 s only: nothing above info, and unseen says so', () => {
  const report = expectAtMostInfo(healthy((node) => listHangs(node, 2000)))
  expect(unseenOf(report, 'runtime.containers')).not.toBe('')
})

test.each([
  ['nobody listens', refused],
  ['there is no socket', missing],
])('R01 the kubelet names the socket and %s', (_, outcome) => {
  expectOnly(
    healthy((node) => unreached(node, outcome)),
    ['R01', 'critical', {kind: 'Runtime'}],
  )
})

test.each([
  ['nobody listens', refused],
  ['the CRI plugin is disabled', disabled],
])('R01 nobody names the socket and %s: no alarm that wakes somebody', (_, outcome) => {
  const node = healthy((each) => unreached(each, outcome, outcome === disabled ? 'Version' : 'connect'))
  node.answers = {...node.answers, told: false, source: 'a usual place'}
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'critical' || severity === 'error').map(({code}) => code)).toEqual([])
})

test('R01 crio#6554: the CRI plugin is disabled at the socket that the kubelet uses', () => {
  expectOnly(
    healthy((node) => unreached(node, disabled, 'Version')),
    ['R01', 'critical', {kind: 'Runtime'}],
  )
})

test.each(['/etc/crictl.yaml:1', '--runtime-endpoint', 'CONTAINER_RUNTIME_ENDPOINT'])(
  'R01 %s names a socket that is not there: that text may be old or mistyped',
  (source) => {
    const node = healthy((each) => unreached(each, missing))
    node.answers = {...node.answers, source}
    const {findings} = reportOf(node)
    expect(findings.filter(({severity}) => severity === 'critical' || severity === 'error').map(({code}) => code)).toEqual([])
  },
)

test('R01 Status fails', () => {
  expectOnly(
    healthy((node) => answersSo(node, 'Status', answer('deadlock'))),
    ['R01', 'warning', {kind: 'Runtime'}],
  )
})

test('R01 ListImages fails', () => {
  expectAtMostInfo(healthy((node) => answersSo(node, 'ListImages', answer('a layer is corrupt'))))
})

test('R01 an answer took 8 s', () => {
  expectOnly(
    healthy((node) => answersSo(node, 'ListPodSandbox', {state: 'answered', tookMs: 8000})),
    ['R01', 'warning', {kind: 'Runtime'}],
  )
})

test('R01 k8s#61117: ContainerStatus of one container hangs, and it is named', () => {
  const report = expectOnly(
    healthy((node) => node.containerLooks.set(`c-${web}`, {outcome: hangs()})),
    ['R01', 'error'],
  )
  expect(JSON.stringify(report.findings)).toContain(`c-${web}`)
})

test('R01 ContainerStatus of every container hangs', () => {
  const node = healthy((each) => {
    for (const uid of [web, db, scratch, proxy]) each.containerLooks.set(`c-${uid}`, {outcome: hangs()})
  })
  expect(
    reportOf(node)
      .findings.filter(({code}) => code === 'R01')
      .map(({severity}) => severity),
  ).toContain('critical')
})

test('R01 a container is listed and its status is NotFound: it went between the two calls', () => {
  const gone: CallOutcome = {state: 'failed', kind: 'answered', code: 'NOT_FOUND', why: 'no such container'}
  expectAtMostInfo(healthy((node) => node.containerLooks.set(`c-${web}`, {outcome: gone})))
})

test('R01 nobody asked how the runtime answers: it is not looked for', () => {
  const node = healthy(listHangs)
  node.readings['runtime.answers'] = absent('not captured')
  expect(expectNone(node, 'R01').looked).not.toContain('R01')
})

test('R01 no command of it restarts anything before the runtime was looked at', () => {
  const [first] = reportOf(healthy(listHangs)).findings.flatMap(({remedy}) => remedy)
  expect(first?.command).not.toMatch(/restart/)
})
