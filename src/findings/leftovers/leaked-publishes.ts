// Volumes that are still published for a pod that is gone: V03, and the reason of many a V01.
import {oncePer} from '../../base/once-per.ts'
import {kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import type {BelievedVolume} from '../../kubelet/traces/reconstruct.ts'
import type {Pod} from '../../node/pod.ts'
import {whole} from '../../node/reading.ts'
import type {DetectContext} from '../detector.ts'
import type {Evidence, Severity} from '../finding.ts'
import {leftDirGraceMs} from '../graces.ts'
import {podPresence} from '../pods/pod-presence.ts'
import {volumeNames} from '../volumes/volume-names.ts'
import {leftPodDirs} from './left-pod-dirs.ts'
import {mountEvidence} from './unmounting.ts'

export interface LeakedPublish {
  readonly podUid: string
  /** Where it is known: it is being deleted, and has no container. */
  readonly pod: Pod | undefined
  /** The directory of the volume, below the kubelet's root. */
  readonly path: string
  readonly volume: BelievedVolume | undefined
  /** Paths at which it is mounted, below the kubelet's root. An inline volume need not be a mount. */
  readonly mounts: readonly string[]
  readonly severity: Severity
  /** Milliseconds since 1970: it has been left since then at least; undefined when nothing tells. */
  readonly since: number | undefined
  readonly evidence: readonly Evidence[]
}

export const leakedPublishes: (context: DetectContext) => readonly LeakedPublish[] = oncePer((context) => [
  ...ofUnknownPods(context),
  ...ofDeletedPods(context),
])

/** The leaks in the directory of a pod that nobody knows. */
export const leaksByPod: (context: DetectContext) => ReadonlyMap<string, readonly LeakedPublish[]> = oncePer((context) =>
  Map.groupBy(leakedPublishes(context), ({podUid}) => podUid),
)

function ofUnknownPods(context: DetectContext): LeakedPublish[] {
  const mounts = kubeletMounts(context.snapshot)
  if (mounts === undefined) return []
  const names = volumeNames(context)
  return leftPodDirs(context.snapshot).flatMap((left) => {
    const mounted = Map.groupBy(left.mounts, volumeDirOf)
    const inline = left.content.volumes.filter(({path}) => names.byPodPath(path)?.ephemeral && !mounted.has(path))
    const settled = left.age === 'settled'
    const common = {podUid: left.uid, pod: undefined, since: left.since}
    return [
      ...[...mounted].map(
        ([path, paths]): LeakedPublish => ({
          ...common,
          path,
          volume: names.byPodPath(path),
          mounts: paths,
          severity: settled ? 'error' : 'info',
          evidence: [...mountEvidence(mounts, paths), ...left.evidence],
        }),
      ),
      ...inline.map(
        ({path}): LeakedPublish => ({
          ...common,
          path,
          volume: names.byPodPath(path),
          mounts: [],
          severity: settled ? 'warning' : 'info',
          evidence: [{source: 'disk.vol-data', fact: `${path}/vol_data.json says Ephemeral`}, ...left.evidence],
        }),
      ),
    ]
  })
}

/** kubernetes/kubernetes#79980: a kubelet that restarts while the pod is deleted neither unpublishes an inline volume nor removes it. */
function ofDeletedPods({snapshot, belief}: DetectContext): LeakedPublish[] {
  const presence = podPresence(snapshot)
  const mounts = kubeletMounts(snapshot)
  if (belief === undefined || mounts === undefined || whole(snapshot.readings['runtime.containers']) === undefined) return []
  return belief.volumes.flatMap((volume): LeakedPublish[] => {
    const pod = volume.ephemeral ? presence.pod(volume.podUid) : undefined
    // deletionTimestamp includes the grace period.
    const deletedFor = pod?.deletedAt === undefined ? 0 : snapshot.when - pod.deletedAt
    if (pod === undefined || deletedFor < leftDirGraceMs || presence.running(volume.podUid).length > 0) return []
    const paths = mounts.pathsWithin(volume.path)
    const podFact = `${pod.namespace}/${pod.name} should have been gone for longer than a retry takes, and has no running container`
    return [
      {
        podUid: volume.podUid,
        pod,
        path: volume.path,
        volume,
        mounts: paths,
        severity: 'error',
        since: pod.deletedAt,
        evidence: [
          {source: 'disk.vol-data', fact: `${volume.path}/vol_data.json says Ephemeral`},
          {source: presence.sourceOf(volume.podUid) ?? 'kubelet.pods', fact: podFact},
          ...mountEvidence(mounts, paths),
        ],
      },
    ]
  })
}

/** pods/UID/volumes/KIND/NAME of whatever lies below it; any other path itself. */
function volumeDirOf(path: string): string {
  const parts = path.split('/')
  return parts[2] === 'volumes' && parts.length > 5 ? parts.slice(0, 5).join('/') : path
}
