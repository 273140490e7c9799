import {describe, expect, test} from 'vitest'
import type {BoundClaim} from '../../../src/kubelet/pod.ts'
import type {DriverVolume} from '../../../src/lab/drivers/driver-volumes.ts'
import {violationsIn} from '../../../src/scenario/explore/invariants.ts'
import type {CallEvent, Event, ObjectEvent} from '../../../src/timeline/event.ts'
import {call, log, recordOf, seen, step} from '../../support/run-record.ts'

const claim: BoundClaim = {
  namespace: 'default',
  name: 'data',
  driver: 'csi.example.com',
  volumeName: 'pv-data',
  volumeHandle: 'vol-data',
  volumeMode: 'Filesystem',
}
const target = '/target/u'

const csi = (at: number, method: string, outcome = 'OK', ends = at + 0.1, more: Partial<CallEvent> = {}): CallEvent => {
  const request = {driver: claim.driver, volume: claim.volumeHandle, stagingTargetPath: '/staging', targetPath: target}
  const event = call(at, method, {to: 'csi', request, ends, ...more})
  return {...event, outcome}
}

const created = (at: number): ObjectEvent => ({
  ...seen(at, {type: 'ADDED'}),
  object: {
    metadata: {namespace: 'default', name: 'p'},
    spec: {containers: [], volumes: [{name: 'data', persistentVolumeClaim: {claimName: 'data'}}]},
    status: {phase: 'Pending', containerStatuses: [], initContainerStatuses: []},
  },
})
const gone = (at: number) => seen(at, {type: 'DELETED', terminating: true})
const asked = (at: number) => call(at, 'DELETE pod', {to: 'api', request: {uid: 'u'}, ends: at + 0.2})
const detached = (at: number) => log(at, 'Volume detached', {fields: {uniqueName: 'kubernetes.io/csi/csi.example.com^vol-data'}})

const staged = csi(2, 'NodeStageVolume')
const published = csi(3, 'NodePublishVolume')
const unpublished = (at: number) => csi(at, 'NodeUnpublishVolume')
const unstaged = (at: number) => csi(at, 'NodeUnstageVolume')

const broken = (
  events: readonly Event[],
  end: number,
  left: Partial<DriverVolume> = {},
  volumeMode: BoundClaim['volumeMode'] = 'Filesystem',
) => {
  const volume: DriverVolume = {handle: claim.volumeHandle, mode: volumeMode, publishedAt: [], ...left}
  const run = {...recordOf(events, end), claims: [{...claim, volumeMode}], drivers: new Map([[claim.driver, [volume]]])}
  return violationsIn(run).map(({invariant, how}) => `${invariant}: ${how}`)
}

describe('violationsIn() of volumes', () => {
  test.each<[string, string[], Event[], number]>([
    [
      'holds where all is undone in its order',
      [],
      [created(1), staged, published, gone(20), unpublished(21), unstaged(22), detached(23)],
      300,
    ],
    ['finds a stage that is never undone', ['stage-not-undone: never tried'], [created(1), staged, gone(20)], 300],
    ['does not ask it while a pod is there', [], [created(1), staged], 900],
    ['does not ask it before three minutes have passed', [], [created(1), staged, gone(20)], 190],
    [
      'finds an undoing that is given up',
      ['stage-not-undone: tried no more'],
      [created(1), staged, gone(20), csi(21, 'NodeUnstageVolume', 'INTERNAL')],
      300,
    ],
    [
      'finds that the kubelet lets go',
      ['stage-not-undone: let go'],
      [created(1), csi(2, 'NodeStageVolume', 'DEADLINE_EXCEEDED', 122), gone(20), detached(123)],
      130,
    ],
    ['takes a final error for an end', [], [created(1), csi(2, 'NodeStageVolume', 'INTERNAL'), gone(20), detached(23)], 300],
    [
      'takes a final error for the end of a doubt',
      [],
      [created(1), csi(2, 'NodeStageVolume', 'ABORTED'), csi(3, 'NodeStageVolume', 'INTERNAL'), gone(20), detached(23)],
      300,
    ],
    [
      'takes no error for the end of what was done',
      ['stage-not-undone: let go'],
      [created(1), staged, csi(3, 'NodeStageVolume', 'INTERNAL'), gone(20), detached(23)],
      30,
    ],
    [
      'tells what came between',
      ['stage-not-undone: never tried, after a restart'],
      [created(1), staged, gone(20), step(21, 'restart the kubelet, down for 1 s')],
      300,
    ],
    [
      'finds a publish that is not undone before the unstage',
      ['publish-not-undone: never tried', 'unstaged-while-published: it was not unpublished'],
      [created(1), staged, published, gone(20), unstaged(22)],
      300,
    ],
    [
      'finds an unstage after an unpublish that failed',
      ['unstaged-while-published: unpublishing it failed'],
      [created(1), staged, published, gone(20), csi(21, 'NodeUnpublishVolume', 'INTERNAL'), unstaged(22), unpublished(23)],
      300,
    ],
    [
      'finds an object that the kubelet removes too early',
      ['removed-while-published: by the kubelet'],
      [created(1), staged, published, asked(19.9), gone(20), unpublished(21), unstaged(22)],
      300,
    ],
    ['lets others remove it', [], [created(1), staged, published, gone(20), unpublished(21), unstaged(22)], 300],
    [
      'lets it go while the publish is under way',
      [],
      [created(1), staged, csi(3, 'NodePublishVolume', 'DEADLINE_EXCEEDED', 123), asked(19.9), gone(20), unpublished(124), unstaged(125)],
      400,
    ],
  ])('%s', (_, kinds, events, end) => {
    expect(broken(events, end)).toEqual(kinds)
  })

  test('finds what the driver still has when all has been tried', () => {
    const events = [created(1), staged, gone(20), csi(21, 'NodeUnstageVolume', 'INTERNAL'), csi(290, 'NodeUnstageVolume', 'INTERNAL')]
    expect(broken(events, 300, {stagedAt: '/staging'})).toEqual(['left-behind: staged'])
    expect(broken(events, 190, {stagedAt: '/staging'})).toEqual([])
    const refused = [created(1), csi(2, 'NodePublishVolume', 'ABORTED'), csi(3, 'NodePublishVolume', 'INTERNAL'), gone(20)]
    expect(broken(refused, 300, {publishedAt: [target]})).toEqual(['left-behind: published, after a final answer'])
  })

  test('tells raw block volumes apart after a restart', () => {
    const events = [created(1), published, step(4, 'restart the kubelet, down for 1 s'), gone(20)]
    expect(broken(events, 300, {}, 'Block')).toEqual(['publish-not-undone: never tried, after a restart, raw block'])
  })
})
