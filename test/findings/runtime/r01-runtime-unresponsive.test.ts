import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {failed, read} from '../../../src/node/reading.ts'
import {type CallOutcome, type RuntimeAnswers, type RuntimeMethod, runtimeMethods} from '../../../src/node/runtime/answers.ts'
import type {ContainerLook} from '../../../src/node/runtime/container-look.ts'
import type {Snapshot} from '../../../src/node/snapshot.ts'
import type {FailureKind, RpcCode} from '../../../src/wire/rpc-failure.ts'
import {answering} from '../../support/runtime-looks.ts'
import {gone, runningContainer, smallNode, web} from '../../support/small-node.ts'

const ok: CallOutcome = {state: 'answered', tookMs: 3}
const silent = (waitedMs = 10_000): CallOutcome => ({state: 'silent', waitedMs})
const slow: CallOutcome = {state: 'answered', tookMs: 7000}
const fails = (kind: FailureKind, why = 'w', code: RpcCode = 'UNAVAILABLE'): CallOutcome => ({state: 'failed', kind, code, why})

/** All others are answered. */
function calls(given: Partial<Record<RuntimeMethod, CallOutcome>>, more: Partial<RuntimeAnswers> = {}): RuntimeAnswers {
  return answering({...more, calls: runtimeMethods.map((method) => ({method, outcome: given[method] ?? ok}))})
}

/** It ended with the first call. */
function unreached(outcome: CallOutcome, more: Partial<RuntimeAnswers> = {}, method: RuntimeMethod = 'connect'): RuntimeAnswers {
  const {name: _name, version: _version, ...rest} = answering({...more, calls: [{method, outcome}], conditions: []})
  return rest
}

function nodeWith(answers: RuntimeAnswers | undefined, looks: Record<string, Partial<ContainerLook>> = {}, containers = 1): Snapshot {
  return smallNode((node) => {
    node.answers = answers
    node.looks = looks
    if (containers > 1) node.containers.push(runningContainer('side', web))
  })
}

function r01(snapshot: Snapshot) {
  const {findings, looked, unseen} = detect(
    snapshot,
    profileOf('1.36.2'),
    detectors.filter(({code}) => code === 'R01'),
  )
  return {findings, looked, why: unseen.find(({source}) => source === 'runtime.answers')?.why}
}

const severitiesOf = (snapshot: Snapshot) => r01(snapshot).findings.map(({severity}) => severity)

describe('R01 finds', () => {
  test.each<[string, RuntimeAnswers, string]>([
    ['a socket that refuses', unreached(fails('refused')), 'critical'],
    ['a socket that is not there', unreached(fails('missing')), 'critical'],
    ['a server that takes the connection and says nothing', unreached(silent(6000)), 'critical'],
    ['a Version that is not answered', unreached(silent(), {}, 'Version'), 'critical'],
    ['ListPodSandbox that hangs', calls({ListPodSandbox: silent()}), 'critical'],
    ['ListContainers that hangs (containerd#12680)', calls({ListContainers: silent()}), 'critical'],
    ['Status that hangs', calls({Status: silent()}), 'error'],
    ['ListImages that hangs', calls({ListImages: silent()}), 'warning'],
    ['the gravest of two calls that hang', calls({ListImages: silent(), ListContainers: silent()}), 'critical'],
    ['containerd without its CRI plugin', unreached(fails('no-service', 'w', 'UNIMPLEMENTED')), 'critical'],
    ['a runtime that is starting', unreached(fails('answered', 'server is not initialized yet', 'UNKNOWN'), {}, 'Version'), 'info'],
    ['a list that the runtime answers with an error', calls({ListContainers: fails('answered', 'boom', 'INTERNAL')}), 'error'],
    ['an answer that took longer than 5 s', calls({ListPodSandbox: slow}), 'warning'],
    ['a connection that broke', calls({Status: fails('lost')}), 'warning'],
    ['a hanging list of a runtime that nobody names', calls({ListContainers: silent()}, {told: false}), 'error'],
    ['a socket that is not there and that only the user names', unreached(fails('missing'), {source: '/etc/crictl.yaml:1'}), 'warning'],
    ['a socket that refuses and that only the user names', unreached(fails('refused'), {source: '--runtime-endpoint'}), 'critical'],
  ])('%s', (_what, answers, severity) => {
    expect(severitiesOf(nodeWith(answers))).toEqual([severity])
  })
})

describe('R01 is silent about', () => {
  test.each<[string, RuntimeAnswers]>([
    ['a runtime that answers everything', calls({})],
    ['an answer that took 5 s', calls({ListContainers: {state: 'answered', tookMs: 5000}})],
    ['a reply that is too large: that is another code', calls({ListContainers: fails('too-large', 'w', 'RESOURCE_EXHAUSTED')})],
    [
      'the same in the words of the server',
      calls({ListContainers: fails('answered', 'trying to send message larger than max', 'RESOURCE_EXHAUSTED')}),
    ],
    ['images that are served at another socket', calls({ListImages: fails('no-service', 'w', 'UNIMPLEMENTED')})],
    ['a call that we may not make', calls({Status: fails('forbidden', 'w', 'PERMISSION_DENIED')})],
    [
      'a network that is not ready',
      calls(
        {},
        {conditions: [{type: 'NetworkReady', status: false, reason: 'NetworkPluginNotReady', message: 'cni plugin not initialized'}]},
      ),
    ],
  ])('%s', (_what, answers) => {
    const {findings, looked} = r01(nodeWith(answers))
    expect([findings, looked]).toEqual([[], ['R01']])
  })
})

describe('R01 has not looked', () => {
  test.each<[string, RuntimeAnswers, RegExp]>([
    [
      'where nobody names the socket that refuses',
      unreached(fails('refused', 'nobody listens'), {told: false}),
      /nobody says that the kubelet uses it/,
    ],
    ['where nobody names the socket that is not there', unreached(fails('missing'), {told: false}), /nobody says/],
    ['where a socket was typed that is not there', unreached(fails('missing'), {source: '--runtime-endpoint'}), /that tells nothing/],
    ['where k3s runs without the runtime that it brings', unreached(fails('missing'), {source: 'k3s (pid 7)'}), /that tells nothing/],
    ['where a call was waited for too shortly', calls({ListContainers: silent(4000)}), /too early to say whether ListContainers/],
    ['where the greeting was waited for too shortly', unreached(silent(2000)), /too early to say whether connect/],
    ['where nobody knows how long the greeting was waited for', unreached(fails('silent')), /tells nothing/],
  ])('%s', (_what, answers, why) => {
    const told = r01(nodeWith(answers))
    expect([told.findings, told.looked]).toEqual([[], []])
    expect(told.why).toMatch(why)
  })

  test('where the socket may not be opened', () => {
    const snapshot = nodeWith(undefined)
    const readings = {...snapshot.readings, 'runtime.answers': failed('this user may not open it', undefined, 'denied')}
    expect(r01({...snapshot, readings}).looked).toEqual([])
  })
})

test('R01 tells of the call that hangs, and that another was waited for too shortly', () => {
  const {findings, why} = r01(nodeWith(calls({ListContainers: silent(), Status: silent(900)})))
  expect(findings.map(({severity}) => severity)).toEqual(['critical'])
  expect(why).toMatch(/too early to say whether Status/)
})

test('R01 says which calls hang, which are answered, and what the runtime says of itself', () => {
  const conditions = [{type: 'RuntimeReady', status: false, reason: 'Recovering', message: ''}]
  const [finding] = r01(nodeWith(calls({ListContainers: silent()}, {conditions}))).findings
  expect(finding?.message).toMatch(/did not answer ListContainers within 10s\. It answers Version, Status, ListPodSandbox, ListImages\.$/)
  expect(finding?.evidence.map(({fact}) => fact)).toContain('RuntimeReady is false: Recovering')
  expect(finding?.next).toMatch(/3m after the last relist/)
  expect(finding?.subject).toEqual({kind: 'Runtime', name: 'containerd', path: '/run/containerd/containerd.sock'})
})

test.each([
  ['containerd', 'unix:///run/containerd/containerd.sock', ['kill -USR1 $(pidof containerd)', 'systemctl restart containerd']],
  ['cri-o', 'unix:///run/crio/crio.sock', ['kill -USR1 $(pidof crio)', 'systemctl restart crio']],
  ['containerd', 'unix:///run/k3s/containerd/containerd.sock', ['kill -USR1 $(pidof containerd)', 'systemctl restart k3s']],
])('R01 of %s at %s asks for the stacks before the restart', (name, endpoint, expected) => {
  const [finding] = r01(nodeWith(calls({ListContainers: silent()}, {name, endpoint}))).findings
  expect(finding?.remedy.map(({command}) => command)).toEqual(expected)
})

describe('R01 of one container', () => {
  const app = `id-app-${web}`
  const side = `id-side-${web}`
  const hung: Partial<ContainerLook> = {outcome: silent(6000)}

  test('finds the one that hangs while another is answered (kubernetes#61117)', () => {
    const {findings} = r01(nodeWith(calls({}), {[app]: hung}, 2))
    expect(findings.map(({severity, subject}) => [severity, subject])).toEqual([
      ['error', {kind: 'Container', name: 'app', id: app, podUid: web}],
    ])
  })

  test('finds the runtime where every one hangs', () => {
    const {findings} = r01(nodeWith(calls({}), {[app]: hung, [side]: hung}, 2))
    expect(findings.map(({severity, subject}) => [severity, subject.kind])).toEqual([['critical', 'Runtime']])
  })

  test('finds the container where it is the only one', () => {
    expect(r01(nodeWith(calls({}), {[app]: hung})).findings.map(({subject}) => subject.kind)).toEqual(['Container'])
  })

  test('warns of a slow one', () => {
    expect(severitiesOf(nodeWith(calls({}), {[app]: {outcome: {state: 'answered', tookMs: 5600}}}))).toEqual(['warning'])
  })

  test.each<[string, CallOutcome]>([
    ['that is gone by now', fails('answered', 'not found', 'NOT_FOUND')],
    ['that was waited for too shortly', silent(1000)],
  ])('finds nothing of one %s', (_what, outcome) => {
    expect(r01(nodeWith(calls({}), {[app]: {outcome}}, 2)).findings).toEqual([])
  })

  test('does not call the runtime hung by a list of statuses that broke off', () => {
    const snapshot = nodeWith(calls({}), {[app]: hung, [side]: hung}, 2)
    const looks = snapshot.readings['runtime.container-status']
    const readings = {...snapshot.readings, 'runtime.container-status': read(looks.state === 'read' ? looks.value : [], 'it broke off')}
    expect(r01({...snapshot, readings}).findings.map(({subject}) => subject.kind)).toEqual(['Container', 'Container'])
  })
})

const anyOutcome: fc.Arbitrary<CallOutcome> = fc.oneof(
  fc.record({state: fc.constant('answered' as const), tookMs: fc.nat(5000)}),
  fc.record({state: fc.constant('silent' as const), waitedMs: fc.nat(4999)}),
  fc.record({
    state: fc.constant('failed' as const),
    kind: fc.constantFrom('forbidden' as const, 'too-large' as const, 'silent' as const),
    code: fc.constantFrom<RpcCode>('UNAVAILABLE', 'PERMISSION_DENIED', 'RESOURCE_EXHAUSTED'),
    why: fc.string(),
  }),
)

test('R01 never takes an answer, a hurry or a refusal of ours for trouble', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...runtimeMethods), anyOutcome), fc.boolean(), anyOutcome, (given, told, outcome) => {
      const snapshot = nodeWith(calls(given, {told}), {[`id-app-${gone}`]: {outcome}})
      expect(r01(snapshot).findings).toEqual([])
    }),
  )
})

describe('R01 names the takeover of the runtime as its cause', () => {
  const taken = (socket: string): Snapshot['readings']['takeovers'] =>
    read([{path: '/run/kubelimbo/takeover/0a0b0c0d.json', socket, startedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER, pid: 7}])

  test.each([
    ['unix:///run/containerd/containerd.sock', '/run/containerd/containerd.sock', true],
    ['unix:///var/run/crio/crio.sock', '/run/crio/crio.sock', true],
    ['unix:///run/crio/crio.sock', '/run/containerd/containerd.sock', false],
    ['tcp://127.0.0.1:7', '/run/containerd/containerd.sock', false],
  ])('at %s, taken over is %s: %s', (endpoint, socket, is) => {
    const {readings, ...rest} = nodeWith(calls({Status: silent()}, {endpoint}), {[`id-app-${web}`]: {outcome: silent(6000)}}, 2)
    const snapshot = {...rest, readings: {...readings, takeovers: taken(socket)}}
    const {findings} = detect(
      snapshot,
      profileOf('1.36.2'),
      detectors.filter(({code}) => code === 'R01' || code === 'T01'),
    )
    const hanging = findings.filter(({code}) => code === 'R01')
    expect(hanging.map(({subject}) => subject.kind)).toEqual(['Container', 'Runtime'])
    for (const {cause} of hanging) expect(cause).toEqual(is ? {code: 'T01', subject: {kind: 'Path', path: socket}} : null)
  })
})
