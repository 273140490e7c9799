// Persistent volumes of running pods at whose directory nothing is mounted: V06.

import {type KubeletDirs, kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {type KubeletMounts, kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import type {BelievedVolume} from '../../kubelet/traces/reconstruct.ts'
import type {Pod} from '../../node/pod.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Container} from '../../wire/gen/cri_pb.ts'
import type {DetectContext} from '../detector.ts'
import {podPresence} from '../pods/pod-presence.ts'
import {toldMoment} from '../runtime/runtime-moments.ts'

export interface BareVolume {
  readonly volume: BelievedVolume
  readonly pod: Pod
  readonly containers: readonly Container[]
  /** Milliseconds since the first of the running containers was made; undefined when nobody says. */
  readonly runningForMs: number | undefined
  /** That of the directory and of its parent; undefined when nobody looked, or from where mounts do not show. */
  readonly device: string | undefined
  /** The mount table has something else below pods/: it is the kubelet's, not that of a container. */
  readonly trusted: boolean
  /** What is seen in it. */
  readonly files: number
}

export function bareVolumes({snapshot, belief}: DetectContext): BareVolume[] {
  const mounts = kubeletMounts(snapshot)
  if (belief === undefined || mounts === undefined) return []
  const dirs = kubeletDirs(known(snapshot.readings['disk.entries']) ?? [])
  const presence = podPresence(snapshot)
  const persistent = saidPersistent(snapshot)
  const trusted = mounts.pathsWithin('pods').length > 0
  const devices = !looksAreBlind(mounts, dirs)
  return belief.volumes.flatMap((volume): BareVolume[] => {
    const target = `${volume.path}/mount`
    const pod = presence.pod(volume.podUid)
    const containers = presence.running(volume.podUid)
    const entry = dirs.get(target)
    if (volume.mode !== 'filesystem' || !persistent(volume) || entry?.type !== 'directory' || isCovered(volume.path, mounts)) return []
    // While it is deleted the volume goes a moment after the containers that were just listed.
    if (pod?.phase !== 'Running' || pod.deletedAt !== undefined || containers.length === 0) return []
    const [own, parents] = [entry.device, dirs.get(volume.path)?.device]
    // Another device than around it: something is mounted that the table does not show.
    if (own !== undefined && parents !== undefined && own !== parents) return []
    const device = devices && parents !== undefined ? own : undefined
    // A table without any mount of a pod is that of a container, or of a root that has another name there.
    if (!trusted && device === undefined) return []
    return [
      {volume, pod, containers, runningForMs: runningFor(snapshot.when, containers), device, trusted, files: dirs.names(target).length},
    ]
  })
}

/** Inline volumes need no mount, and records of old kubelets do not say which they are of. */
function saidPersistent(snapshot: Snapshot): (volume: BelievedVolume) => boolean {
  const files = known(snapshot.readings['disk.vol-data']) ?? []
  const paths = new Set(files.flatMap(({path, data}) => ('unreadable' in data || data.volumeLifecycleMode !== 'Persistent' ? [] : [path])))
  return ({path}) => paths.has(`${path}/vol_data.json`)
}

/** Something is mounted at it, below it, or at a directory of the pod above it. */
function isCovered(volumeDir: string, mounts: KubeletMounts): boolean {
  const parts = volumeDir.split('/')
  const above = parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('/'))
  return mounts.pathsWithin(volumeDir).length > 0 || above.some((path) => mounts.at(path).length > 0)
}

/** The directories were looked at from where mounts do not show: what is mounted has the device of its parent. */
function looksAreBlind(mounts: KubeletMounts, dirs: KubeletDirs): boolean {
  return mounts.pathsWithin('pods').some((path) => {
    const own = dirs.get(path)?.device
    const parents = dirs.get(path.slice(0, path.lastIndexOf('/')))?.device
    return own !== undefined && own === parents && mounts.at(path).every(({device}) => device !== own)
  })
}

function runningFor(now: number, containers: readonly Container[]): number | undefined {
  // Zero is what a runtime says that does not know.
  const created = containers.flatMap(({createdAt}) => toldMoment(createdAt) ?? [])
  return created.length === 0 ? undefined : now - Math.min(...created)
}
