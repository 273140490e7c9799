// Each switch of the volume half on the whole model: a small history of one volume that is another when the switch is turned.
import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {delay} from '../../../src/faults/delay.ts'
import {fail} from '../../../src/faults/fail.ts'
import type {Fault} from '../../../src/faults/fault.ts'
import {hang} from '../../../src/faults/hang.ts'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import type {SwitchName} from '../../../src/kubelet/switches.ts'
import type {LabNode} from '../../../src/lab/lab-node.ts'
import {switched} from '../../support/model-pods.ts'
import {volumeHalf} from '../../support/status-half.ts'
import {
  callWords,
  create,
  csiCalls,
  driver,
  goneAfter,
  left,
  type Played,
  playVolume,
  remove,
  type VolumeRun,
  withVolume,
} from '../../support/volume-lab.ts'

interface Row extends Omit<VolumeRun, 'profile' | 'until'> {
  readonly name: SwitchName
  /** All else is as in this one. */
  readonly version: string
  readonly until?: number
  /** What the history is told by. */
  readonly told: (played: Played) => unknown
  readonly with: unknown
  readonly without: unknown
}

const csi = (method: string, fault: Fault, limit?: number): Rule => ({
  name: method,
  match: {to: 'csi', method},
  ...(limit !== undefined && {limit}),
  fault,
})
const count = (method: string) => (played: Played) => csiCalls(played, method).length
const isGone = (played: Played) => goneAfter(played) !== undefined
const both = [create(4000, withVolume('other'))]
const restart = (after: number) => [after, ({kubelet}: LabNode) => kubelet.restart(3000)] as const
const target = async ({disk}: LabNode): Promise<string> => {
  const row = disk.listing('/var/lib/kubelet/pods').find(({path}) => path.endsWith('/mount'))
  return row?.path ?? ''
}

const rows: readonly Row[] = [
  {
    name: 'uncertain-mounts',
    version: '1.18.2',
    rules: [csi('NodeStageVolume', loseReply())],
    steps: [remove(8000)],
    until: 150_000,
    told: callWords,
    with: ['NodeStageVolume DEADLINE_EXCEEDED', 'NodeUnstageVolume OK'],
    without: ['NodeStageVolume DEADLINE_EXCEEDED'],
  },
  {
    name: 'missing-map-is-unused',
    version: '1.18.2',
    mode: 'Block',
    rules: [csi('NodePublishVolume', fail('INTERNAL', 'no'))],
    steps: [remove(8000)],
    told: count('NodeUnstageVolume'),
    with: 1,
    without: 0,
  },
  {name: 'stage-once', version: '1.21.2', steps: both, told: count('NodeStageVolume'), with: 1, without: 2},
  {name: 'block-staged-once', version: '1.26.5', mode: 'Block', steps: both, told: count('NodeStageVolume'), with: 1, without: 2},
  {
    name: 'staging-path-hashed',
    version: '1.26.5',
    told: (played) => left(played).find((path) => path.includes('globalmount')),
    with: 'csi.example.com/<sha>/globalmount (mounted)',
    without: 'pv/pv1/globalmount (mounted)',
  },
  {name: 'mount-group-asked', version: '1.26.5', told: count('NodeGetCapabilities'), with: 4, without: 2},
  {name: 'access-modes-asked', version: '1.36.2', told: count('NodeGetCapabilities'), with: 6, without: 4},
  {
    name: 'missing-driver-transient',
    version: '1.36.2',
    rules: [csi('NodeStageVolume', loseReply(), 1)],
    // Unregistered when staging is tried again.
    steps: [[60_000, ({drivers}) => drivers.restart(driver, 80_000, true)], remove(126_000)],
    until: 200_000,
    told: count('NodeUnstageVolume'),
    with: 1,
    without: 0,
  },
  {
    // kubernetes/kubernetes#100182
    name: 'failed-unmount-uncertain',
    version: '1.21.2',
    rules: [csi('NodeUnstageVolume', fail('INTERNAL', 'no'))],
    steps: [remove(8000), create(40_000, withVolume('other'))],
    until: 60_000,
    told: (played) => callWords(played).filter((words) => !words.startsWith('NodeUnstage')),
    with: ['NodeStageVolume OK', 'NodePublishVolume OK', 'NodeUnpublishVolume OK', 'NodeStageVolume OK', 'NodePublishVolume OK'],
    without: ['NodeStageVolume OK', 'NodePublishVolume OK', 'NodeUnpublishVolume OK', 'NodePublishVolume OK'],
  },
  {
    name: 'uncertain-undone-early',
    version: '1.26.5',
    rules: [csi('NodePublishVolume', hang())],
    steps: [remove(12_000)],
    until: 300_000,
    told: count('NodeUnpublishVolume'),
    with: 1,
    without: 0,
  },
  {
    name: 'uncertain-holds-pod',
    version: '1.26.5',
    rules: [csi('NodePublishVolume', hang())],
    steps: [remove(12_000)],
    until: 200_000,
    told: isGone,
    with: false,
    without: true,
  },
  {
    name: 'csi-mount-subdir-checked',
    version: '1.18.2',
    rules: [csi('NodePublishVolume', loseReply())],
    steps: [remove(12_000)],
    until: 60_000,
    told: isGone,
    with: false,
    without: true,
  },
  {
    name: 'sandboxes-awaited',
    version: '1.21.2',
    rules: [{name: 'slow', match: {to: 'cri', method: 'StopPodSandbox'}, fault: delay(10_000)}],
    // By force: the object goes at once.
    steps: [[8000, ({client}) => client.deletePod('default/web', 0)]],
    until: 60_000,
    told: ({node}) => {
      const calls = node.timeline.events.flatMap((event) => (event.kind === 'call' ? [event] : []))
      const stopped = calls.find(({method}) => method === 'StopPodSandbox')?.endedAt ?? 0
      const unpublished = calls.find(({method}) => method === 'NodeUnpublishVolume')?.at ?? 0
      return unpublished > stopped ? 'sandbox first' : 'volume first'
    },
    with: 'sandbox first',
    without: 'volume first',
  },
  {
    name: 'failed-claims-wait',
    version: '1.18.2',
    rules: [{name: 'no claim', match: {to: 'api', method: 'GET persistentvolumeclaim'}, fault: fail('NotFound', 'no')}],
    until: 20_000,
    told: ({node}) =>
      node.timeline.events.filter((event) => event.kind === 'call' && event.method === 'GET persistentvolumeclaim').length > 10
        ? 'all the time'
        : 'now and then',
    with: 'now and then',
    without: 'all the time',
  },
  {
    name: 'wanted-reconstructed',
    version: '1.26.5',
    steps: [[8000, ({faults}) => faults.add(csi('NodePublishVolume', fail('INTERNAL', 'no')))], restart(9000), remove(30_000)],
    until: 200_000,
    told: isGone,
    with: true,
    without: false,
  },
  {
    // The target is no mount any more, as after a reboot.
    name: 'reconstruct-uncertain',
    version: '1.36.2',
    steps: [
      restart(8000),
      [8500, ({client}) => client.deletePod('default/web', 0)],
      [9000, async (node) => node.disk.unmount(await target(node))],
    ],
    until: 60_000,
    told: count('NodeUnstageVolume'),
    with: 1,
    without: 0,
  },
  {
    // What is known of the device is thrown away while NodeStageVolume hangs.
    name: 'pending-asked-first',
    version: '1.36.2',
    mode: 'Block',
    rules: [csi('NodeStageVolume', loseReply(), 1)],
    steps: [[60_000, ({disk}) => disk.removeAll('/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/pv1')], remove(70_000)],
    until: 200_000,
    told: count('NodeUnstageVolume'),
    with: 0,
    without: 1,
  },
  {
    name: 'volume-wait-cut',
    version: '1.36.2',
    rules: [csi('NodeStageVolume', hang())],
    steps: [remove(8000)],
    until: 60_000,
    told: isGone,
    with: true,
    without: false,
  },
]

test.each(rows)('$name in $version', async ({name, version, told, with: withIt, without, until = 40_000, ...run}) => {
  const [on, off] = await Promise.all([true, false].map((each) => playVolume({...run, until, profile: switched(version, name, each)})))
  expect(on && told(on)).toEqual(withIt)
  expect(off && told(off)).toEqual(without)
})

/** They show in no history of one volume, or in none that is short. */
const onTheirOwnPart: Readonly<Partial<Record<SwitchName, string>>> = {
  'orphans-emptied': 'orphaned-pod-dirs',
  'orphan-targets-removed': 'orphaned-pod-dirs',
  'pod-data-at-setup': 'csi-mounter',
  'unpublished-always': 'csi-block',
  'orphan-device-files-removed': 'csi-block',
  'capability-asked-first': 'csi-attacher',
  'mounts-not-trusted': 'csi-attacher',
  'target-made-by-driver': 'csi-mounter',
  'own-operation-first': 'pending-operations',
  'stage-json-gone-is-done': 'csi-attacher',
  'reconstructed-kept': 'error-state',
  'data-to-stage-only': 'csi-attacher',
  'capability-error-uncertain': 'csi-mounter',
}

test('switches of the volume half have a test each', () => {
  expect([...rows.map(({name}) => name), ...Object.keys(onTheirOwnPart)].sort()).toEqual(volumeHalf.toSorted())
})

test.each(Object.entries(onTheirOwnPart))('%s has its test in %s.test.ts', (name, file) => {
  const tests = readFileSync(new URL(`./${file}.test.ts`, import.meta.url), 'utf8')
  expect(tests).toContain(`'${name}'`)
})
