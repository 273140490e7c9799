import {expect, test} from 'vitest'
import type {DiskEntry} from '../../../src/node/disk.ts'
import type {BlockDevice} from '../../../src/node/kernel/facts.ts'
import type {Pod} from '../../../src/node/pod.ts'
import {findingsOf, severitiesOf} from '../../support/found.ts'
import {at, entriesOf, mountAt, type SnapshotParts, sandboxOf, waitingPod} from '../../support/snapshot-builder.ts'

const gone = '99999999-9999-4999-8999-999999999999'
const w1 = '77777777-7777-4777-8777-777777777777'
const devices = 'plugins/kubernetes.io/csi/volumeDevices'
const onHost = (path: string) => `/var/lib/kubelet/${path}`
const volData = {[`${devices}/pv1/data/vol_data.json`]: {driverName: 'd.example', volumeHandle: 'h1'}}
const alive = waitingPod('web-0', 'u1', [], {
  phase: 'Running',
  configSource: 'api',
  containers: [{name: 'app', kind: 'regular', state: 'running'}],
})
const bound = {...mountAt(onHost(`${devices}/publish/pv1/${gone}`)), device: '0:6', source: 'devtmpfs', fsType: 'devtmpfs', root: '/sdb'}

interface Changes {
  /** Nothing tells how old the files are; else they are an hour old. */
  readonly undated?: true
  readonly files?: readonly string[]
  readonly loops?: readonly string[]
  readonly pods?: readonly Pod[]
  readonly more?: SnapshotParts['sources']
}

function node(changes: Changes): SnapshotParts {
  const {files = [], loops = [], pods = [alive], more = {}} = changes
  const entries = entriesOf([...files, ...Object.keys(volData)])
  const sources = {
    'disk.entries': changes.undated ? entries : entries.map((entry) => ({...entry, modifiedAt: at(0)})),
    'kubelet.pods': pods,
    'runtime.sandboxes': [sandboxOf('web-0', 'u1')],
    'kernel.devices': loops.map((backingFile, index): BlockDevice => ({device: `7:${index}`, name: `loop${index}`, backingFile})),
    ...more,
  }
  return {seconds: 3600, files, volData, sources}
}

const dev = `${devices}/pv1/dev/${gone}`
const publish = `${devices}/publish/pv1/${gone}`
const live = `${devices}/pv1/dev/u1`
const link = 'pods/u1/volumeDevices/kubernetes.io~csi/pv1'

test.each([
  ['a bind of a pod that is gone', {files: [dev]}, ['error']],
  ['a publish file of a pod that is gone', {files: [publish]}, ['error']],
  ['both, and its loop device, as one', {files: [dev, publish], loops: [onHost(dev)]}, ['error']],
  ['a publish file that only the mount table shows, as info: nothing tells its age', {more: {'kernel.mounts': [bound]}}, ['info']],
  ['a bind of a pod that is gone, as info where nothing tells its age', {files: [dev], undated: true}, ['info']],
  ['a publish path that is one file a volume, which no pod has', {files: [`${devices}/publish/pv1`]}, ['error']],
  ['a device that vanished under a living pod', {files: [live, link], loops: [`${onHost(live)} (deleted)`]}, ['error']],
  ['a loop device over a deleted file without a path', {files: [live, link], loops: ['/ (deleted)']}, ['warning']],
] as const)('V11 finds %s', (_what, changes, expected) => {
  expect(severitiesOf('V11', node(changes))).toEqual(expected)
})

test.each([
  ['a living pod', {files: [live, link, `${devices}/publish/pv1/u1`], loops: [onHost(live)]}],
  ['an empty dev directory', {files: [`${devices}/pv1/dev/`]}],
  ['an empty list of pods', {files: [dev], pods: []}],
  ['a pod that only the runtime knows', {files: [dev], more: {'runtime.sandboxes': [sandboxOf('x', gone)]}}],
  ['a pod that only the API server knows', {files: [dev], more: {'api.pods': [waitingPod('x', gone, [])]}}],
  ['a publish path that is one file a volume, of a living pod', {files: [`${devices}/publish/pv1`, link]}],
  [
    'a publish path that is one file a volume, while a pod waits',
    {files: [`${devices}/publish/pv1`], pods: [waitingPod('w', w1, ['c'], {configSource: 'api'}), alive]},
  ],
  ['a loop device over a deleted file elsewhere', {files: [live, link], loops: ['/srv/disk.img (deleted)']}],
  ['a loop device without a path on a node without raw block volumes', {loops: ['/ (deleted)']}],
  ['a staging directory', {files: [`${devices}/staging/pv1/`, `${devices}/staging/dev/${gone}`]}],
] as const)('V11 is silent about %s', (_what, changes) => {
  expect(severitiesOf('V11', node(changes))).toEqual([])
})

test('V11 leaves a pod that waits for the volume to U02', () => {
  const waits = waitingPod('w', w1, ['c'], {configSource: 'api'})
  const parts = node({files: [`${devices}/publish/pv1/${w1}`], pods: [alive, waits]})
  expect([severitiesOf('V11', parts), severitiesOf('U02', parts)]).toEqual([[], ['info']])
})

test('V11 is info while its files are young', () => {
  const modifiedAt = at(3600 - 60)
  const entries = [{path: dev, type: 'block', mode: 0o600, size: 0, modifiedAt} as const]
  expect(severitiesOf('V11', node({more: {'disk.entries': entries, 'disk.vol-data': []}}))).toEqual(['info'])
})

test('V11 detaches the loop device first, and removes no file that is mounted or holds anything', () => {
  const mounts = [{...bound, mountPoint: onHost(dev)}]
  const found = findingsOf('V11', node({files: [dev], loops: [onHost(dev)], more: {'kernel.mounts': mounts}}))
  const path = onHost(dev)
  expect(found.flatMap(({remedy}) => remedy.map(({command}) => command))).toEqual([
    'losetup -d /dev/loop0',
    `umount ${path}`,
    `findmnt -M ${path} || test -s ${path} || rm ${path}`,
    'systemctl restart kubelet',
  ])
  expect(found[0]?.subject).toMatchObject({driver: 'd.example', handle: 'h1', name: 'pv1', podUid: gone})
})

const file = (seconds: number) => ({path: dev, type: 'block', mode: 0o600, size: 0, modifiedAt: at(seconds)}) as const
const pods = (seconds: number) => ({path: 'pods', type: 'directory', mode: 0o750, size: 0, modifiedAt: at(seconds)}) as const
const itsPod = {path: `pods/${gone}`, type: 'directory', mode: 0o750, size: 0, modifiedAt: at(0)} as const

test.each([
  ['since they were made, of young files', [file(3500), pods(0)], '2026-11-30T03:58:20Z'],
  ['since the last pod went, of old files', [file(0), pods(1800)], '2026-11-30T03:30:00Z'],
  ['since they were made, when no pod went after that', [file(1800), pods(0)], '2026-11-30T03:30:00Z'],
  ['at an unknown time, when a pod went a minute ago that may be this one', [file(0), pods(3540)], undefined],
  ['at an unknown time, when its pod still has a directory', [file(0), pods(1800), itsPod], undefined],
  ['at an unknown time, when nobody dated the directory of the pods', [file(0)], undefined],
] as const)('V11 says that files have been left %s', (_what, entries, since) => {
  const found = findingsOf('V11', node({more: {'disk.entries': entries, 'disk.vol-data': []}}))
  expect(found.map((finding) => finding.since)).toEqual([since])
})

test('V11 says since when a pod goes whose device is gone, and nothing of one that stays', () => {
  const lost = {files: [live, link], loops: [`${onHost(live)} (deleted)`]}
  const going = {...alive, deletedAt: at(3540)}
  const told = (each: Pod) => findingsOf('V11', node({...lost, pods: [each]})).map(({severity, since, next}) => [severity, since, next])
  const undoes = 'takes the loop device away, sends NodeUnpublishVolume, and repeats what fails'
  expect(told(going)).toEqual([['info', '2026-11-30T03:59:00Z', expect.stringMatching(new RegExp(`^The kubelet ${undoes}`))]])
  expect(told(alive)).toEqual([['error', undefined, expect.stringMatching(/^The kubelet does nothing about it while the pod runs/)]])
})

test.each([
  ['a bind in dev', dev, /takes the device for one in use/],
  ['a publish file', publish, /saw the pod go repeats NodeUnpublishVolume .* One that was started since .* sends no NodeUnpublishVolume/],
])('V11 says what the kubelet does next about %s', (_what, path, words) => {
  expect(findingsOf('V11', node({files: [path]})).map(({next}) => next)).toEqual([expect.stringMatching(words)])
})

test.each([
  ['its link went from the directory of the pod', `pods/${gone}/volumeDevices/kubernetes.io~csi`],
  ['something went from the directory that it lies in', `${devices}/publish/pv1`],
])('V11 is info while the device is old that is bound there, and %s a minute ago', (_what, path) => {
  const device = {path: publish, type: 'block', mode: 0o600, size: 0, modifiedAt: at(-864_000)} as const
  const directory = {path, type: 'directory', mode: 0o750, size: 0, modifiedAt: at(3540)} as const
  const found = (entries: readonly DiskEntry[]) => severitiesOf('V11', node({more: {'disk.entries': entries, 'disk.vol-data': []}}))
  expect([found([device]), found([device, directory])]).toEqual([['error'], ['info']])
})
