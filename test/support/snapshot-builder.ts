// Snapshots made by hand for tests: every source absent unless given.
import {create} from '@bufbuild/protobuf'
import type {DiskEntry} from '../../src/node/disk.ts'
import type {KubeletLogLine} from '../../src/node/kubelet-log.ts'
import type {Mount} from '../../src/node/mountinfo.ts'
import type {Pod} from '../../src/node/pod.ts'
import {absent, read} from '../../src/node/reading.ts'
import type {Readings, Snapshot, Sources} from '../../src/node/snapshot.ts'
import {sourceNames} from '../../src/node/snapshot.ts'
import type {VolDataFile} from '../../src/node/vol-data.ts'
import {PodSandboxSchema} from '../../src/wire/gen/cri_pb.ts'

export const start = Date.parse('2026-11-30T03:00:00Z')
export const at = (seconds: number) => start + seconds * 1000

export interface SnapshotParts {
  readonly sources?: Partial<Sources>
  /** Paths below the kubelet's root; a trailing slash makes a directory. Parents are made. */
  readonly files?: readonly string[]
  readonly volData?: Readonly<Record<string, VolDataFile['data']>>
  readonly seconds?: number
  readonly version?: string
}

export function snapshotOf({sources = {}, files, volData = {}, seconds = 0, version}: SnapshotParts): Snapshot {
  const disk = files === undefined ? {} : {'disk.entries': entriesOf([...files, ...Object.keys(volData)])}
  const data = files === undefined ? {} : {'disk.vol-data': Object.entries(volData).map(([path, each]) => ({path, data: each}))}
  const given: Partial<Sources> = {...disk, ...data, ...sources}
  const readings = Object.fromEntries(
    sourceNames.map((name) => [name, given[name] === undefined ? absent('not in this test') : read(given[name])]),
  ) as unknown as Readings
  return {node: 'n1', when: at(seconds), kubeletRoot: '/var/lib/kubelet', kubeletVersion: version, readings, unread: {}}
}

export function entriesOf(paths: readonly string[]): DiskEntry[] {
  const entries = new Map<string, DiskEntry>()
  for (const path of paths) {
    const parts = path.split('/').filter((part) => part !== '')
    for (let length = 0; length <= parts.length; length++) {
      const each = parts.slice(0, length).join('/')
      const directory = length < parts.length || path.endsWith('/')
      if (!entries.has(each)) entries.set(each, {path: each, type: directory ? 'directory' : 'file', mode: 0o750, size: 0})
    }
  }
  return [...entries.values()]
}

export function waitingPod(name: string, uid: string, claims: readonly string[], more: Partial<Pod> = {}): Pod {
  return {
    name,
    namespace: 'default',
    uid,
    createdAt: start,
    finalizers: [],
    phase: 'Pending',
    volumes: claims.map((claim) => ({name: claim, kind: 'persistentVolumeClaim', claim})),
    containers: [{name: 'app', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'}],
    ...more,
  }
}

export function logLine(seconds: number, message: string, fields: Readonly<Record<string, string>> = {}): KubeletLogLine {
  return {at: at(seconds), severity: 'info', source: 'test.go:1', message, fields}
}

export function mountAt(mountPoint: string): Mount {
  return {
    id: 43,
    parent: 42,
    device: '254:0',
    root: '/',
    mountPoint,
    options: 'rw',
    optional: [],
    fsType: 'ext4',
    source: '/dev/vda',
    superOptions: 'rw',
  }
}

export function sandboxOf(name: string, uid: string) {
  return create(PodSandboxSchema, {
    id: `id-${name}`,
    metadata: {name, namespace: 'default', uid, attempt: 0},
    createdAt: BigInt(start) * 1_000_000n,
  })
}
