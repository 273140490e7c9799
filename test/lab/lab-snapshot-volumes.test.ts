import {describe, expect, test} from 'vitest'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {stagingDir} from '../../src/node/layout.ts'
import {whole} from '../../src/node/reading.ts'
import type {Snapshot, SourceName, Sources} from '../../src/node/snapshot.ts'

const start = Date.UTC(2026, 0, 1)
const driver = 'csi.example.com'
const root = '/var/lib/kubelet'
const claim = (name: string, volumeMode: 'Filesystem' | 'Block') => ({
  namespace: 'default',
  name,
  volumeName: `pv-${name}`,
  driver,
  volumeHandle: `vol-${name}`,
  volumeMode,
})

async function labWithVolumes() {
  const claims = [claim('files', 'Filesystem'), claim('device', 'Block')]
  const lab = startLabNode({profile: profileOf('1.36.2'), seed: 1, start, drivers: [{name: driver}], claims})
  const volumes = claims.map(({name}) => ({name, persistentVolumeClaim: {claimName: name}}))
  void lab.client.createPod({metadata: {name: 'web'}, spec: {volumes, containers: [{name: 'main'}]}})
  await lab.run(start + 10_000)
  const [pod] = sourceOf(lab.snapshot(), 'api.pods')
  return {lab, uid: pod?.uid ?? ''}
}

function sourceOf<Name extends SourceName>({readings}: Snapshot, name: Name): Sources[Name] {
  const value = whole<Sources[Name]>(readings[name] as never)
  if (value === undefined) throw new Error(`${name} was not read`)
  return value
}

describe('snapshot() of a node with volumes', () => {
  test('has what lies below the root, where the kubelet and the driver put it', async () => {
    const {lab, uid} = await labWithVolumes()
    const entries = new Map(sourceOf(lab.snapshot(), 'disk.entries').map((entry) => [entry.path, entry]))
    const mount = `pods/${uid}/volumes/kubernetes.io~csi/pv-files/mount`
    expect(entries.get('')).toMatchObject({type: 'directory'})
    expect(entries.get(mount)).toMatchObject({type: 'directory', device: '259:0'})
    expect(entries.get(mount)).not.toHaveProperty('content')
    expect(entries.get(`pods/${uid}/volumes/kubernetes.io~csi/pv-files/vol_data.json`)).toMatchObject({type: 'file', device: '254:0'})
    expect(entries.get(`plugins/kubernetes.io/csi/volumeDevices/publish/pv-device/${uid}`)).toMatchObject({type: 'block'})
    expect(entries.get(`pods/${uid}/volumeDevices/kubernetes.io~csi/pv-device`)).toMatchObject({type: 'link'})
    expect(entries.get(`plugins/${driver}/csi.sock`)).toMatchObject({type: 'socket'})
    expect([...entries.values()].every(({path, modifiedAt}) => !path.startsWith('/') && modifiedAt !== undefined)).toBe(true)
  })

  test('counts what lies in a directory that nothing is mounted on', async () => {
    const {lab} = await labWithVolumes()
    const entries = sourceOf(lab.snapshot(), 'disk.entries')
    expect(entries.find(({path}) => path.endsWith('volumeDevices/staging/pv-device'))?.content).toEqual({entries: 0, bytes: 0})
  })

  test('has the records as the kubelet would read them', async () => {
    const {lab} = await labWithVolumes()
    const files = sourceOf(lab.snapshot(), 'disk.vol-data')
    const named = {driverName: driver, volumeHandle: 'vol-files'}
    expect(files.find(({path}) => path.startsWith('pods/'))?.data).toMatchObject({...named, specVolID: 'pv-files'})
    expect(files.find(({path}) => path.startsWith(stagingDir(driver, 'vol-files')))?.data).toMatchObject(named)
  })

  test('has a mount table, and a look at each mount point', async () => {
    const {lab, uid} = await labWithVolumes()
    const snapshot = lab.snapshot()
    const mounts = sourceOf(snapshot, 'kernel.mounts')
    const target = `${root}/pods/${uid}/volumes/kubernetes.io~csi/pv-files/mount`
    const staged = `${root}/${stagingDir(driver, 'vol-files')}/globalmount`
    const device = `${root}/plugins/kubernetes.io/csi/volumeDevices/publish/pv-device/${uid}`
    const of = (path: string) => mounts.find(({mountPoint}) => mountPoint === path)
    expect(mounts[0]).toMatchObject({mountPoint: '/', device: '254:0'})
    expect([of(staged)?.device, of(target)?.device]).toEqual(['259:0', '259:0'])
    expect(of(device)).toMatchObject({fsType: 'devtmpfs', root: `/${driver}-vol-device`})
    expect(new Set(mounts.map(({id}) => id)).size).toBe(mounts.length)
    const looks = sourceOf(snapshot, 'disk.mounts')
    expect(looks.map(({mountPoint}) => mountPoint).sort()).toEqual(
      mounts
        .slice(1)
        .map(({mountPoint}) => mountPoint)
        .sort(),
    )
  })

  test('has the driver by its sockets', async () => {
    const {lab} = await labWithVolumes()
    const endpoint = `${root}/plugins/${driver}/csi.sock`
    expect(sourceOf(lab.snapshot(), 'csi.registrations')).toMatchObject([{type: 'CSIPlugin', name: driver, endpoint}])
    const found = {socket: endpoint, answer: {state: 'answers'}, name: driver, capabilities: ['STAGE_UNSTAGE_VOLUME']}
    expect(sourceOf(lab.snapshot(), 'csi.drivers')).toMatchObject([found])
  })

  test.each([
    [false, 1],
    [true, 0],
  ])('has a driver that is away, its registration gone with it: %s', async (unregister, registrations) => {
    const {lab} = await labWithVolumes()
    lab.drivers.restart(driver, 5000, unregister)
    expect(sourceOf(lab.snapshot(), 'csi.drivers')).toMatchObject([{answer: {state: 'refused'}}])
    expect(sourceOf(lab.snapshot(), 'csi.registrations')).toHaveLength(registrations)
    await lab.run(start + 20_000)
    expect(sourceOf(lab.snapshot(), 'csi.drivers')).toMatchObject([{answer: {state: 'answers'}}])
    expect(sourceOf(lab.snapshot(), 'csi.registrations')).toHaveLength(1)
  })
})
