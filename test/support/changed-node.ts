// A captured node with something changed about it, as the case.yaml of a golden case says.
import {parseInstant} from '../../src/base/instant.ts'
import type {DriverSocket} from '../../src/node/csi/sockets.ts'
import type {DiskEntry} from '../../src/node/disk.ts'
import type {SeenKubelet} from '../../src/node/kubelet-seen.ts'
import {parseMountinfo} from '../../src/node/mountinfo.ts'
import {absent, type Failed, mapReading, read} from '../../src/node/reading.ts'
import type {Readings, Snapshot, SourceName, Sources} from '../../src/node/snapshot.ts'
import {readVolData} from '../../src/node/vol-data.ts'

export interface NodeChange {
  /** Sources that were not read. */
  readonly without?: readonly SourceName[]
  /** The moment of the check. */
  readonly now?: string
  /** UIDs of pods that the kubelet and the API server do not have, whatever the runtime has. */
  readonly disown?: readonly string[]
  /** UIDs of pods that neither the kubelet nor the runtime nor the API server has. */
  readonly dropPods?: readonly string[]
  /** Paths below the kubelet's root that are gone, with all that is below them and what is mounted there. */
  readonly dropPaths?: readonly string[]
  /** Paths at which nothing is mounted. */
  readonly unmount?: readonly string[]
  /** Lines of the mount table. */
  readonly mount?: readonly string[]
  /** When each directory was last changed. */
  readonly dated?: string
  /** What each directory lies on. */
  readonly device?: string
  /** vol_data.json files: path to content. */
  readonly volData?: Readonly<Record<string, string>>
  readonly drivers?: readonly DriverSocket[]
  /** Sources that could not be read, and how they failed. */
  readonly failed?: Partial<Record<SourceName, Omit<Failed, 'state'>>>
  readonly kubeletProcess?: SeenKubelet
}

export function changedNode(snapshot: Snapshot, change: NodeChange): Snapshot {
  const {
    without = [],
    now,
    disown = [],
    dropPods = [],
    dropPaths = [],
    unmount = [],
    mount = [],
    dated,
    device,
    volData = {},
    drivers,
    failed = {},
  } = change
  const {kubeletProcess} = change
  const isGone = (path: string) => dropPaths.some((gone) => path === gone || path.startsWith(`${gone}/`))
  const isUnmounted = (mountPoint: string) => {
    const path = mountPoint.slice(snapshot.kubeletRoot.length + 1)
    return isGone(path) || unmount.includes(path)
  }
  const said = (entry: DiskEntry): DiskEntry => ({
    ...entry,
    ...(dated === undefined ? {} : {modifiedAt: parseInstant(dated, 'dated')}),
    ...(device === undefined ? {} : {device}),
  })
  const changes: {[Name in SourceName]?: (value: Sources[Name]) => Sources[Name]} = {
    'kubelet.pods': (pods) => pods.filter(({uid}) => !dropPods.includes(uid) && !disown.includes(uid)),
    'api.pods': (pods) => pods.filter(({uid}) => !dropPods.includes(uid) && !disown.includes(uid)),
    'runtime.sandboxes': (sandboxes) => sandboxes.filter(({metadata}) => !dropPods.includes(metadata?.uid ?? '')),
    'runtime.containers': (containers) => containers.filter(({labels}) => !dropPods.includes(labels['io.kubernetes.pod.uid'] ?? '')),
    'disk.entries': (entries) => entries.filter(({path}) => !isGone(path)).map(said),
    'disk.vol-data': (files) => [
      ...files.filter(({path}) => !isGone(path) && !Object.hasOwn(volData, path)),
      ...Object.entries(volData).map(([path, content]) => ({path, data: readVolData(new TextEncoder().encode(content))})),
    ],
    'kernel.mounts': (mounts) => [...mounts.filter(({mountPoint}) => !isUnmounted(mountPoint)), ...parseMountinfo(mount.join('\n'))],
  }
  const changed = Object.entries(changes).map(([name, apply]) => [
    name,
    mapReading(snapshot.readings[name as SourceName], apply as (value: unknown) => unknown),
  ])
  const readings = {
    ...snapshot.readings,
    ...Object.fromEntries(changed),
    ...(drivers && {'csi.drivers': read(drivers)}),
    ...Object.fromEntries(without.map((source) => [source, absent('taken away')])),
    ...Object.fromEntries(Object.entries(failed).map(([source, how]) => [source, {state: 'failed', ...how}])),
  } as Readings
  return {
    ...snapshot,
    ...(kubeletProcess && {kubeletProcess}),
    readings,
    when: now === undefined ? snapshot.when : parseInstant(now, 'now'),
  }
}
