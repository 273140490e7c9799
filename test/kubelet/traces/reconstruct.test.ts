import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {reconstruct} from '../../../src/kubelet/traces/reconstruct.ts'
import {stagingDir} from '../../../src/node/layout.ts'
import {mountAt, snapshotOf} from '../../support/snapshot-builder.ts'

const driver = 'hostpath.csi.k8s.io'
const staged = stagingDir(driver, 'h1')
const fsDir = 'pods/u1/volumes/kubernetes.io~csi/pv1'
const fsData = {driverName: driver, volumeHandle: 'h1', specVolID: 'pv1', volumeLifecycleMode: 'Persistent'}
const devices = 'plugins/kubernetes.io/csi/volumeDevices'
const blockData = {driverName: driver, volumeHandle: 'h2', specVolID: 'pv2'}
const today = profileOf('1.36.2')

const mountedFs = snapshotOf({
  files: [`${staged}/globalmount/`, `${fsDir}/mount/`],
  volData: {[`${staged}/vol_data.json`]: {driverName: driver, volumeHandle: 'h1'}, [`${fsDir}/vol_data.json`]: fsData},
  sources: {'kernel.mounts': [mountAt(`/var/lib/kubelet/${fsDir}/mount`)]},
})

const mappedBlock = snapshotOf({
  files: [`${devices}/staging/pv2/`, `${devices}/publish/pv2/u2`, `${devices}/pv2/dev/u2`, 'pods/u2/volumeDevices/kubernetes.io~csi/pv2'],
  volData: {[`${devices}/pv2/data/vol_data.json`]: blockData},
})

test('reconstruct() finds a filesystem volume by its directory in the pod', () => {
  const belief = reconstruct(mountedFs, today)
  expect(belief?.volumes).toEqual([
    {
      uniqueName: `kubernetes.io/csi/${driver}^h1`,
      specName: 'pv1',
      driver,
      handle: 'h1',
      mode: 'filesystem',
      ephemeral: false,
      podUid: 'u1',
      path: fsDir,
      mount: 'VolumeMountUncertain',
      published: true,
    },
  ])
  expect(belief?.forgotten).toEqual([])
})

test('reconstruct() finds a block volume by its link and its data directory', () => {
  const belief = reconstruct(mappedBlock, today)
  expect(belief?.volumes).toEqual([expect.objectContaining({specName: 'pv2', handle: 'h2', mode: 'block', podUid: 'u2', published: true})])
  expect(belief?.forgotten).toEqual([])
})

test('reconstruct() takes what is mounted for mounted before 1.28, for uncertain since', () => {
  expect(reconstruct(mountedFs, profileOf('1.26.5'))?.volumes[0]?.mount).toBe('VolumeMounted')
  expect(reconstruct(mountedFs, profileOf('1.36.2'))?.volumes[0]?.mount).toBe('VolumeMountUncertain')
})

test.each([
  ['no vol_data.json', {}, 'it has no vol_data.json'],
  ['one without a handle', {[`${fsDir}/vol_data.json`]: {driverName: driver}}, 'its vol_data.json names no driver or no volume handle'],
])('reconstruct() cannot use a pod directory with %s', (_what, volData, why) => {
  const belief = reconstruct(snapshotOf({files: [`${fsDir}/mount/`], volData}), today)
  expect(belief?.volumes).toEqual([])
  expect(belief?.unreadable).toEqual([{podUid: 'u1', specName: 'pv1', path: fsDir, why}])
})

test.each([
  ['today', staged, undefined],
  ['before 1.24', 'plugins/kubernetes.io/csi/pv/pv1', 'pv1'],
])('reconstruct() forgets what is staged without a pod, in the layout of %s', (_layout, folder, specName) => {
  const volData = {[`${folder}/vol_data.json`]: {driverName: driver, volumeHandle: 'h1'}}
  const belief = reconstruct(snapshotOf({files: [`${folder}/globalmount/`], volData}), today)
  expect(belief?.forgotten).toEqual([
    expect.objectContaining({what: 'staged', mode: 'filesystem', path: `${folder}/globalmount`, specName, driver, handle: 'h1'}),
  ])
})

test('reconstruct() does not count an empty globalmount without vol_data.json: a driver that cannot stage leaves one (1.34 and later)', () => {
  expect(reconstruct(snapshotOf({files: [`${staged}/globalmount/`]}), today)?.forgotten).toEqual([])
})

test('reconstruct() forgets a block volume that is staged and was never published', () => {
  const snapshot = snapshotOf({files: [`${devices}/staging/pv2/`], volData: {[`${devices}/pv2/data/vol_data.json`]: blockData}})
  expect(reconstruct(snapshot, today)?.forgotten).toEqual([
    expect.objectContaining({what: 'staged', mode: 'block', path: `${devices}/staging/pv2`, specName: 'pv2', handle: 'h2'}),
  ])
})

test('reconstruct() forgets a published block volume without the link of its pod, and keeps the other pod of the same volume', () => {
  const snapshot = snapshotOf({
    files: [
      `${devices}/staging/pv2/`,
      `${devices}/publish/pv2/u2`,
      `${devices}/publish/pv2/u3`,
      'pods/u2/volumeDevices/kubernetes.io~csi/pv2',
    ],
    volData: {[`${devices}/pv2/data/vol_data.json`]: blockData},
  })
  expect(reconstruct(snapshot, today)?.forgotten).toEqual([
    expect.objectContaining({what: 'published', path: `${devices}/publish/pv2/u3`, podUid: 'u3', specName: 'pv2'}),
  ])
})

test('reconstruct() is undefined when the directories were not read', () => {
  expect(reconstruct(snapshotOf({}), today)).toBeUndefined()
})
