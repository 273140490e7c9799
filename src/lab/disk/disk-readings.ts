// The lab's disk as the walk below the kubelet's root, the mount table and the kubelet's own records show it.
import {kubeletRoot} from '../../kubelet/disk.ts'
import type {DirectoryContent, DiskEntry} from '../../node/disk.ts'
import type {MountLook} from '../../node/kernel/facts.ts'
import type {Mount} from '../../node/mountinfo.ts'
import {read} from '../../node/reading.ts'
import type {Readings} from '../../node/snapshot.ts'
import {readVolData, type VolDataFile} from '../../node/vol-data.ts'
import type {DiskRow} from './tree-disk.ts'

type DiskSource = 'disk.entries' | 'disk.vol-data' | 'disk.mounts' | 'kernel.mounts'

/** @param rows of all that lies below the kubelet's root @param besides what else lies there */
export function diskReadings(rows: readonly DiskRow[], besides: readonly DiskEntry[], bootedAt: number): Pick<Readings, DiskSource> {
  const devices = deviceNumbers(rows)
  const mounted = rows.filter((row): row is Mounted => row.mounted !== undefined)
  const root: DiskEntry = {path: '', type: 'directory', mode: 0o750, size: 0, modifiedAt: bootedAt, device: rootDevice}
  return {
    'disk.entries': read([root, ...besides, ...rows.map((row) => entryOf(row, rows, devices))]),
    'disk.vol-data': read(rows.flatMap(volDataOf)),
    'disk.mounts': read(mounted.map((row) => lookAt(row, devices))),
    'kernel.mounts': read([rootMount, ...mounted.map((row, index) => mountOf(row, firstId + index, devices))]),
  }
}

type Mounted = DiskRow & {readonly mounted: string}

const rootDevice = '254:0'
const devtmpfs = '0:5'
const firstId = 100

const rootMount: Mount = {
  id: 1,
  parent: 0,
  device: rootDevice,
  root: '/',
  mountPoint: '/',
  options: 'rw,relatime',
  optional: ['shared:1'],
  fsType: 'ext4',
  source: '/dev/vda',
  superOptions: 'rw',
}

const belowRoot = (path: string): string => path.slice(kubeletRoot.length + 1)

/** One for each thing that a driver mounts, in the order in which they are met. */
function deviceNumbers(rows: readonly DiskRow[]): ReadonlyMap<string, string> {
  const names = [...new Set(rows.flatMap(({mounted}) => mounted ?? []))]
  return new Map(names.map((name, index) => [name, `259:${index}`]))
}

const types = {directory: 'directory', file: 'file', symlink: 'link', device: 'block'} as const

function entryOf(row: DiskRow, rows: readonly DiskRow[], devices: ReadonlyMap<string, string>): DiskEntry {
  const {path, kind, modifiedAt, text = '', target, mounted} = row
  return {
    path: belowRoot(path),
    type: types[kind],
    mode: kind === 'directory' ? 0o750 : 0o644,
    size: text.length,
    modifiedAt,
    device: kind === 'device' ? devtmpfs : ((mounted === undefined ? undefined : devices.get(mounted)) ?? rootDevice),
    ...(target === undefined ? {} : {target}),
    ...(kind === 'directory' && mounted === undefined && isDrivers(path) ? {content: contentOf(path, rows)} : {}),
  }
}

/** Those in which a pod or a driver may write: they are counted, where nothing is mounted. */
const isDrivers = (path: string): boolean => /\/(?:mount|globalmount|volumeDevices\/staging\/[^/]+)$/.test(path)

function contentOf(path: string, rows: readonly DiskRow[]): DirectoryContent {
  const inside = rows.filter((row) => row.path.startsWith(`${path}/`) && !row.path.slice(path.length + 1).includes('/'))
  return {
    entries: inside.length,
    bytes: inside.reduce((sum, {text = ''}) => sum + text.length, 0),
    ...(inside.length === 0 ? {} : {newestAt: Math.max(...inside.map(({modifiedAt}) => modifiedAt))}),
  }
}

function volDataOf({path, kind, text}: DiskRow): readonly VolDataFile[] {
  if (kind !== 'file' || !path.endsWith('/vol_data.json')) return []
  return [{path: belowRoot(path), data: readVolData(new TextEncoder().encode(text ?? ''))}]
}

function lookAt({path, kind, mounted}: Mounted, devices: ReadonlyMap<string, string>): MountLook {
  return {mountPoint: path, outcome: {state: 'ok', device: kind === 'device' ? devtmpfs : (devices.get(mounted) ?? rootDevice)}}
}

/** A raw block volume is a node of /dev that is bound to a file. */
function mountOf({path, kind, mounted}: Mounted, id: number, devices: ReadonlyMap<string, string>): Mount {
  const name = mounted.replaceAll('/', '-')
  const common = {id, parent: rootMount.id, mountPoint: path, options: 'rw,relatime', optional: ['shared:1'], superOptions: 'rw'}
  if (kind === 'device') return {...common, device: devtmpfs, root: `/${name}`, fsType: 'devtmpfs', source: 'devtmpfs'}
  return {...common, device: devices.get(mounted) ?? rootDevice, root: '/', fsType: 'ext4', source: `/dev/${name}`}
}
