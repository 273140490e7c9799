import {create} from '@bufbuild/protobuf'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {read} from '../../../src/node/reading.ts'
import type {SeenStatus} from '../../../src/node/runtime/container-look.ts'
import type {Snapshot} from '../../../src/node/snapshot.ts'
import {ContainerSchema, ContainerState, PodSandboxSchema} from '../../../src/wire/gen/cri_pb.ts'
import {lookAt} from '../../support/runtime-looks.ts'
import {gone, runningPod, type SmallNode, smallNode, web} from '../../support/small-node.ts'
import {at} from '../../support/snapshot-builder.ts'

const app = `id-app-${web}`
const goZero = -6_795_364_578_871_345_152n
const ns = (seconds: number) => BigInt(at(seconds)) * 1_000_000n
const {CONTAINER_CREATED, CONTAINER_RUNNING, CONTAINER_EXITED, CONTAINER_UNKNOWN} = ContainerState

function r10(snapshot: Snapshot) {
  return detect(
    snapshot,
    profileOf('1.36.2'),
    detectors.filter(({code}) => code === 'R10'),
  ).findings
}

const told = (snapshot: Snapshot) => r10(snapshot).map(({severity, message}) => `${severity} ${message}`)

/** Its own ContainerStatus, the list being as it should. */
function statusOf(status: Partial<SeenStatus>): Snapshot {
  return smallNode((node) => {
    const [container] = node.containers
    if (container !== undefined) node.looks[app] = lookAt(container, {}, status)
  })
}

describe('R10 finds of a container', () => {
  test.each<[string, bigint, RegExp]>([
    ['0 (containerd#3873)', 0n, /its createdAt is 0/],
    ["Go's zero in nanoseconds", goZero, /its createdAt is -6795364578871345152/],
    ['a negative one', -5n, /its createdAt is negative: -5/],
    ['seconds', BigInt(at(-3600)) / 1000n, /seconds, where nanoseconds must be/],
    ['milliseconds', BigInt(at(-3600)), /milliseconds, where nanoseconds must be/],
    ['a clock that began in 1970 (containerd#10842)', 40_000_000_000n, /lies in 1970: 1970-01-01T00:00:40Z/],
    ['a day in the future', ns(86_400), /lies in the future: 2026-12-01T03:00:00Z/],
    ['a year that no kubelet saw', BigInt(Date.UTC(2001, 0, 1)) * 1_000_000n, /before there was a kubelet/],
    ['the largest number that there is', 2n ** 63n - 1n, /lies in the future: 2262-/],
  ])('createdAt: %s', (_what, createdAt, message) => {
    const found = told(smallNode((node) => Object.assign(node.containers[0] ?? {}, {createdAt})))
    expect(found).toEqual([expect.stringMatching(/^warning /)])
    expect(found[0]).toMatch(message)
  })

  test.each<[string, Partial<SeenStatus>, RegExp]>([
    ['a running one without a start', {startedAt: 0n}, /its startedAt is 0/],
    ['a start in seconds', {startedAt: BigInt(at(-60)) / 1000n}, /its startedAt is 1796/],
    ['an ended one without an end (kata)', {state: CONTAINER_EXITED, finishedAt: 0n}, /its finishedAt is 0/],
    ['an end before 1970 that is no zero', {finishedAt: -1n}, /its finishedAt is negative/],
    ['an end in the future', {state: CONTAINER_EXITED, finishedAt: ns(7200)}, /its finishedAt lies in the future/],
  ])('%s', (_what, status, message) => {
    const found = told(statusOf(status))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(message)
  })

  test('several fields as one finding', () => {
    const found = r10(statusOf({createdAt: 0n, startedAt: 0n}))
    expect(found.map(({subject}) => subject)).toEqual([{kind: 'Container', name: 'app', id: app, podUid: web}])
    expect(found[0]?.message).toMatch(/its createdAt is 0.*; its startedAt is 0/)
  })
})

describe('R10 is silent about', () => {
  test.each<[string, Partial<SeenStatus>]>([
    ['a container that was only created', {state: CONTAINER_CREATED, startedAt: 0n, finishedAt: 0n}],
    ["a container that was only created, in Go's zeros", {state: CONTAINER_CREATED, startedAt: goZero, finishedAt: goZero}],
    ["the end of a running one in Go's zero", {state: CONTAINER_RUNNING, finishedAt: goZero}],
    ['one that never started, of containerd 1.6', {state: CONTAINER_EXITED, startedAt: 0n, finishedAt: ns(-10)}],
    ['one of an unknown state', {state: CONTAINER_UNKNOWN, startedAt: 0n, finishedAt: 0n}],
    ['a moment that is four minutes ahead', {startedAt: ns(240)}],
    ['one that ran in 2015', {state: CONTAINER_EXITED, startedAt: BigInt(Date.UTC(2015, 6, 1)) * 1_000_000n, finishedAt: ns(-10)}],
  ])('%s', (_what, status) => {
    expect(told(statusOf(status))).toEqual([])
  })
})

interface Try {
  readonly attempt: number
  readonly seconds: number
  readonly id?: string
}

function sandboxes(...attempts: readonly Try[]) {
  return (node: SmallNode) => {
    node.sandboxes = attempts.map(({attempt, seconds, id = `s${attempt}`}) =>
      create(PodSandboxSchema, {id, metadata: {name: 'web-0', namespace: 'default', uid: web, attempt}, createdAt: ns(seconds)}),
    )
  }
}

function containers(sandboxOf: (attempt: number) => string, ...attempts: readonly Try[]) {
  return (node: SmallNode) => {
    node.containers = attempts.map(({attempt, seconds}) =>
      create(ContainerSchema, {
        id: `c${attempt}`,
        podSandboxId: sandboxOf(attempt),
        metadata: {name: 'app', attempt},
        state: attempt === 0 ? CONTAINER_EXITED : CONTAINER_RUNNING,
        createdAt: ns(seconds),
        labels: {'io.kubernetes.pod.uid': web},
      }),
    )
  }
}

const same = () => 's0'

describe('R10 and the order of attempts', () => {
  test.each<[string, (node: SmallNode) => void, string[]]>([
    ['a last sandbox that is older (kubernetes#127948)', sandboxes({attempt: 0, seconds: -60}, {attempt: 1, seconds: -900}), ['error']],
    ['the same listed the other way round', sandboxes({attempt: 1, seconds: -900}, {attempt: 0, seconds: -60}), ['error']],
    [
      'older sandboxes out of order, the last one being the latest',
      sandboxes({attempt: 0, seconds: -60}, {attempt: 1, seconds: -900}, {attempt: 2, seconds: -10}),
      ['warning'],
    ],
    ['sandboxes in order', sandboxes({attempt: 0, seconds: -900}, {attempt: 1, seconds: -60}), []],
    ['two of one attempt: that is another code', sandboxes({attempt: 1, seconds: -900, id: 'a'}, {attempt: 1, seconds: -60, id: 'b'}), []],
    [
      'a container attempt that is older (kubernetes#134153)',
      containers(same, {attempt: 0, seconds: -60}, {attempt: 1, seconds: -100}),
      ['warning'],
    ],
    ['containers in order', containers(same, {attempt: 0, seconds: -100}, {attempt: 1, seconds: -60}), []],
    [
      'attempts that began anew in a new sandbox',
      containers((attempt) => `s${attempt}`, {attempt: 0, seconds: -60}, {attempt: 1, seconds: -100}),
      [],
    ],
  ])('%s', (_what, change, severities) => {
    expect(r10(smallNode(change)).map(({severity}) => severity)).toEqual(severities)
  })

  test('proposes to remove the sandbox that only looks newest', () => {
    const [finding] = r10(smallNode(sandboxes({attempt: 0, seconds: -60}, {attempt: 1, seconds: -900})))
    expect(finding?.remedy.map(({command}) => command)).toContain('crictl rmp s0')
    expect(finding?.subject).toEqual({kind: 'Pod', namespace: 'default', name: 'web-0', uid: web})
  })

  test('concludes nothing from a list that broke off', () => {
    const snapshot = smallNode(sandboxes({attempt: 0, seconds: -60}, {attempt: 1, seconds: -900}))
    const list = snapshot.readings['runtime.sandboxes']
    const readings = {...snapshot.readings, 'runtime.sandboxes': read(list.state === 'read' ? list.value : [], 'it broke off')}
    expect(r10({...snapshot, readings})).toEqual([])
  })
})

test('R10 finds a deletion before the creation (kubernetes#92368), once for all who tell of it', () => {
  const pod = runningPod('web-1', gone, [], {createdAt: at(-60), deletedAt: at(-61)})
  const found = r10(
    smallNode((node) => {
      node.pods.push(pod)
      node.apiPods = [pod]
    }),
  )
  expect(found.map(({severity, subject}) => [severity, subject])).toEqual([
    ['warning', {kind: 'Pod', namespace: 'default', name: 'web-1', uid: gone}],
  ])
})

test.each([
  ['of 1970', 0, ['/proc/stat']],
  ['of the end of 2019', Date.UTC(2020, 0, 1) - 1, ['/proc/stat']],
  ['of 2020', Date.UTC(2020, 0, 1), []],
])('R10 and a boot %s', (_what, bootedAt, paths) => {
  const snapshot = smallNode()
  const readings = {...snapshot.readings, 'kernel.boot': read({id: 'b', at: bootedAt})}
  expect(r10({...snapshot, readings}).map(({subject}) => subject.path)).toEqual(paths)
})

test('R10 never throws, and never doubts what lies between 2015 and now', () => {
  const plausible = fc.bigInt({min: BigInt(Date.UTC(2015, 0, 1)) * 1_000_000n, max: ns(300)})
  const state = fc.constantFrom(CONTAINER_CREATED, CONTAINER_RUNNING, CONTAINER_EXITED, CONTAINER_UNKNOWN)
  fc.assert(
    fc.property(plausible, plausible, plausible, state, fc.bigInt(), fc.integer(), (createdAt, startedAt, finishedAt, each, odd, boot) => {
      expect(told(statusOf({createdAt, startedAt, finishedAt, state: each}))).toEqual([])
      const snapshot = statusOf({createdAt: odd, startedAt: odd, finishedAt: odd, state: each})
      r10({...snapshot, readings: {...snapshot.readings, 'kernel.boot': read({id: 'b', at: boot * 1e12})}})
    }),
  )
})
