import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {BoundClaim} from '../../src/kubelet/pod.ts'
import {owedCalls} from '../../src/scenario/owed-calls.ts'
import {start} from '../../src/scenario/play.ts'
import type {CallEvent, ContainerEvent, Event, ObjectEvent} from '../../src/timeline/event.ts'
import {call} from '../support/run-record.ts'

const claim: BoundClaim = {namespace: 'default', name: 'data', volumeName: 'pv', driver: 'd', volumeHandle: 'v', volumeMode: 'Filesystem'}
const stagingTargetPath = '/s/v'
const targetPath = '/pods/u/mount'

const csi = (at: number, method: string, outcome?: string, ends = at): CallEvent => {
  const ofPod = /NodeU?n?[Pp]ublish/.test(method)
  const request = {driver: 'd', volume: 'v', stagingTargetPath, ...(ofPod ? {targetPath} : {})}
  const {pod: _, ...told} = call(at, method, {to: 'csi', request, ...(outcome === undefined ? {} : {outcome, ends})})
  return {...told, ...(outcome === undefined ? {} : {outcome}), ...(ofPod ? {pod: 'default/p'} : {})}
}
const object = (
  at: number,
  type: ObjectEvent['type'],
  pod = 'p',
  more: {readonly metadata?: object; readonly status?: object} = {},
): ObjectEvent => {
  const volumes = [{name: 'x', persistentVolumeClaim: {claimName: 'data'}}]
  return {
    kind: 'object',
    at: start + at * 1000,
    type,
    pod: `default/${pod}`,
    uid: pod,
    object: {
      metadata: {namespace: 'default', name: pod, ...more.metadata},
      spec: {containers: [], volumes},
      status: {phase: 'Running', ...more.status},
    },
  }
}
const deleted = (at: number, pod?: string) => object(at, 'MODIFIED', pod, {metadata: {deletionTimestamp: 'now'}})
const ended = (at: number, phase: string) => object(at, 'MODIFIED', 'p', {status: {phase}})
const container = (at: number, what: ContainerEvent['what'], name: string | undefined = 'main'): ContainerEvent => ({
  kind: 'container',
  at: start + at * 1000,
  what,
  pod: 'default/p',
  uid: 'p',
  ...(name === '' ? {} : {container: name}),
  id: name,
})
const letGo = (at: number, volume = 'v'): Event => ({
  kind: 'log',
  at: start + at * 1000,
  text: 'Volume detached',
  fields: {uniqueName: `kubernetes.io/csi/d^${volume}`},
})
/** In seconds from the start. */
const end = start + 900_000
const told = (events: readonly Event[]) =>
  owedCalls(events, [claim], end).map(({at, method, class: kind, owed}) => {
    const seconds = (ms: number | undefined) => (ms === undefined ? undefined : (ms - start) / 1000)
    const what = `${seconds(at)} ${method} ${kind}`
    if (owed === undefined) return what
    expect(owed.openUntil).toBe(owed.dueAt === undefined || owed.cameAt !== undefined ? undefined : end)
    const letGo = owed.letGoAt === undefined ? '' : `, let go ${seconds(owed.letGoAt)}`
    return `${what}: ${owed.method} since ${seconds(owed.since)}, due ${seconds(owed.dueAt) ?? 'never'}, came ${seconds(owed.cameAt) ?? 'never'}${letGo}`
  })

const codes: readonly (readonly [code: string, kind: string])[] = [
  ['CANCELLED', 'uncertain'],
  ['UNKNOWN', 'final'],
  ['INVALID_ARGUMENT', 'final'],
  ['DEADLINE_EXCEEDED', 'uncertain'],
  ['NOT_FOUND', 'final'],
  ['ALREADY_EXISTS', 'final'],
  ['PERMISSION_DENIED', 'final'],
  ['RESOURCE_EXHAUSTED', 'uncertain'],
  ['FAILED_PRECONDITION', 'final'],
  ['ABORTED', 'uncertain'],
  ['OUT_OF_RANGE', 'final'],
  ['UNIMPLEMENTED', 'final'],
  ['INTERNAL', 'final'],
  ['UNAVAILABLE', 'uncertain'],
  ['DATA_LOSS', 'final'],
  ['UNAUTHENTICATED', 'final'],
]

describe.each([
  ['NodeStageVolume', 'NodeUnstageVolume'],
  ['NodePublishVolume', 'NodeUnpublishVolume'],
])('owedCalls() of %s', (method, inverse) => {
  test.each(codes)(`%s is %s, and so is what is owed`, (code, kind) => {
    const owed = kind === 'uncertain' ? `: ${inverse} since 3, due 3, came never` : ''
    expect(told([csi(1, method, code, 3)])).toEqual([`3 ${method} ${kind}${owed}`])
  })

  test.each(codes)(`and ${inverse} with %s is transient: it is still owed`, (code) => {
    expect(told([csi(1, method, 'OK', 2), csi(3, inverse, code, 4), csi(5, inverse, 'OK', 6)])).toEqual([
      `2 ${method} done: ${inverse} since 2, due 2, came 3`,
      `4 ${inverse} transient: ${inverse} since 2, due 4, came 5`,
      `6 ${inverse} done`,
    ])
  })
})

test.each<[string, Event[], string[]]>([
  [
    'is not due while a pod uses the volume',
    [object(0, 'ADDED'), csi(1, 'NodeStageVolume', 'OK')],
    ['1 NodeStageVolume done: NodeUnstageVolume since 1, due never, came never'],
  ],
  [
    'is due when the answer is given, if the pod has gone before',
    [
      object(0, 'ADDED'),
      csi(1, 'NodeStageVolume', 'DEADLINE_EXCEEDED', 121),
      object(10, 'DELETED'),
      csi(121.1, 'NodeUnstageVolume', 'OK', 121.2),
    ],
    ['121 NodeStageVolume uncertain: NodeUnstageVolume since 121, due 121, came 121.1', '121.2 NodeUnstageVolume done'],
  ],
  [
    'is due when the last pod has gone',
    [object(0, 'ADDED'), csi(1, 'NodeStageVolume', 'OK'), object(5, 'ADDED', 'q'), object(6, 'DELETED'), object(9, 'DELETED', 'q')],
    ['1 NodeStageVolume done: NodeUnstageVolume since 1, due 9, came never'],
  ],
  [
    'is due in a gap between two pods',
    [
      object(0, 'ADDED'),
      csi(1, 'NodeStageVolume', 'OK'),
      object(6, 'DELETED'),
      csi(6.5, 'NodeUnstageVolume', 'INTERNAL'),
      object(7, 'ADDED', 'q'),
    ],
    [
      '1 NodeStageVolume done: NodeUnstageVolume since 1, due 6, came 6.5',
      '6.5 NodeUnstageVolume transient: NodeUnstageVolume since 1, due never, came never',
    ],
  ],
  [
    'of a publish heeds its own pod only',
    [object(0, 'ADDED'), object(0, 'ADDED', 'q'), csi(1, 'NodePublishVolume', 'OK'), object(6, 'DELETED')],
    ['1 NodePublishVolume done: NodeUnpublishVolume since 1, due 6, came never'],
  ],
  [
    'stands when a later try fails for good: the first may have been done',
    [csi(1, 'NodeStageVolume', 'DEADLINE_EXCEEDED', 121), csi(122, 'NodeStageVolume', 'INTERNAL', 123)],
    [
      '121 NodeStageVolume uncertain: NodeUnstageVolume since 121, due 121, came never',
      '123 NodeStageVolume final: NodeUnstageVolume since 121, due 123, came never',
    ],
  ],
  [
    'came when it was called, not when it was called before',
    [csi(1, 'NodeStageVolume', 'OK'), csi(2, 'NodeUnstageVolume', 'OK'), csi(3, 'NodeStageVolume', 'OK')],
    [
      '1 NodeStageVolume done: NodeUnstageVolume since 1, due 1, came 2',
      '2 NodeUnstageVolume done',
      '3 NodeStageVolume done: NodeUnstageVolume since 3, due 3, came never',
    ],
  ],
  [
    'is not the call that was refused in the same millisecond',
    [csi(1, 'NodeStageVolume', 'DEADLINE_EXCEEDED'), csi(1, 'NodeUnstageVolume', 'ABORTED'), csi(3, 'NodeUnstageVolume', 'ABORTED')],
    [
      '1 NodeStageVolume uncertain: NodeUnstageVolume since 1, due 1, came 1',
      '1 NodeUnstageVolume transient: NodeUnstageVolume since 1, due 1, came 3',
      '3 NodeUnstageVolume transient: NodeUnstageVolume since 1, due 3, came never',
    ],
  ],
  [
    'is due when its pod is deleted and has no container that runs, though its object stays',
    [object(0, 'ADDED'), csi(1, 'NodeStageVolume', 'DEADLINE_EXCEEDED', 121), deleted(10)],
    ['121 NodeStageVolume uncertain: NodeUnstageVolume since 121, due 121, came never'],
  ],
  [
    'is due when the last container of a deleted pod has ended, before the object goes',
    [
      object(0, 'ADDED'),
      csi(1, 'NodePublishVolume', 'OK'),
      container(2, 'started', ''),
      container(3, 'started'),
      container(3, 'started', 'side'),
      deleted(10),
      container(11, 'exited'),
      container(12, 'exited', 'side'),
      csi(13, 'NodeUnpublishVolume', 'OK'),
      object(15, 'DELETED'),
      container(16, 'exited', ''),
    ],
    ['1 NodePublishVolume done: NodeUnpublishVolume since 1, due 12, came 13', '13 NodeUnpublishVolume done'],
  ],
  [
    'is not due while a container runs of a pod whose object is gone',
    [object(0, 'ADDED'), csi(1, 'NodePublishVolume', 'OK'), container(3, 'started'), object(10, 'DELETED'), container(30, 'removed')],
    ['1 NodePublishVolume done: NodeUnpublishVolume since 1, due 30, came never'],
  ],
  [
    'is not due while a container of a pod may start again',
    [object(0, 'ADDED'), csi(1, 'NodePublishVolume', 'OK'), container(3, 'started'), container(4, 'exited')],
    ['1 NodePublishVolume done: NodeUnpublishVolume since 1, due never, came never'],
  ],
  ...['Succeeded', 'Failed'].map((phase): [string, Event[], string[]] => [
    `is due when its pod has ${phase}`,
    [object(0, 'ADDED'), csi(1, 'NodePublishVolume', 'OK'), container(3, 'started'), container(4, 'exited'), ended(5, phase)],
    ['1 NodePublishVolume done: NodeUnpublishVolume since 1, due 5, came never'],
  ]),
  [
    'never comes once the kubelet has let go of the volume',
    [csi(1, 'NodeStageVolume', 'OK'), csi(2, 'NodeUnstageVolume', 'INTERNAL'), letGo(1.5, 'w'), letGo(1.7), letGo(3), letGo(4)],
    [
      '1 NodeStageVolume done: NodeUnstageVolume since 1, due 1, came 2',
      '2 NodeUnstageVolume transient: NodeUnstageVolume since 1, due 2, came never, let go 3',
    ],
  ],
  ['of a call without an answer is not known yet', [csi(1, 'NodeStageVolume')], []],
  ['is nothing of NodeGetCapabilities', [csi(1, 'NodeGetCapabilities', 'UNAVAILABLE')], []],
])('owedCalls(): what is owed %s', (_, events, expected) => {
  expect(told(events)).toEqual(expected)
})

test('owedCalls() owes nothing in the end when each call is undone, whatever else was answered before', () => {
  const outcomes = fc.constantFrom('OK', 'DEADLINE_EXCEEDED', 'INTERNAL', 'ABORTED')
  const methods = fc.constantFrom('NodeStageVolume', 'NodePublishVolume', 'NodeUnstageVolume', 'NodeUnpublishVolume')
  fc.assert(
    fc.property(fc.array(fc.tuple(methods, outcomes), {maxLength: 20}), (calls) => {
      const events = calls.map(([method, outcome], index) => csi(index, method, outcome))
      const ends = [csi(50, 'NodeUnpublishVolume', 'OK'), csi(51, 'NodeUnstageVolume', 'OK')]
      const answers = owedCalls([...events, ...ends], [claim], end)
      expect(answers.every(({owed}) => owed === undefined || owed.cameAt !== undefined)).toBe(true)
      expect(answers.slice(-2).map(({owed}) => owed)).toEqual([undefined, undefined])
      expect(answers).toHaveLength(calls.length + 2)
    }),
  )
})
