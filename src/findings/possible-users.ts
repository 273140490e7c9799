// Pods that may have a volume which no directory of theirs shows.
import {oncePer} from '../base/once-per.ts'
import {kubeletDirs} from '../kubelet/kubelet-dirs.ts'
import type {Pod} from '../node/pod.ts'
import {known} from '../node/reading.ts'
import type {DetectContext} from './detector.ts'
import {podView} from './waiting-pods.ts'

/** Kinds of volumes that come from the pod alone; all others may be what a claim stands for. */
const podsOwn = new Set(
  ['configmap', 'secret', 'projected', 'empty-dir', 'downward-api', 'git-repo'].map((kind) => `kubernetes.io~${kind}`),
)
/** Sources in a pod's spec that make no directory, or one of the kinds above. */
const withoutClaim = new Set(['configMap', 'secret', 'projected', 'emptyDir', 'downwardAPI', 'gitRepo', 'hostPath', 'csi', 'image'])

/** Pods with more claims than their directories account for. */
export const possibleUsers: (context: DetectContext) => readonly Pod[] = oncePer(({snapshot, belief}) => {
  const dirs = kubeletDirs(known(snapshot.readings['disk.entries']) ?? [])
  const ephemeral = Map.groupBy(
    (belief?.volumes ?? []).filter((volume) => volume.ephemeral),
    ({podUid}) => podUid,
  )
  const isOver = ({phase}: Pod) => phase === 'Succeeded' || phase === 'Failed'
  return (podView(snapshot)?.pods ?? []).filter((pod) => {
    const wanted = pod.volumes.filter(({kind}) => !withoutClaim.has(kind)).length
    if (wanted === 0 || isOver(pod)) return false
    const kinds = dirs.names(`pods/${pod.uid}/volumes`).filter((kind) => !podsOwn.has(kind))
    const filesystems = kinds.flatMap((kind) => dirs.names(`pods/${pod.uid}/volumes/${kind}`)).length
    const devices = dirs
      .names(`pods/${pod.uid}/volumeDevices`)
      .flatMap((kind) => dirs.names(`pods/${pod.uid}/volumeDevices/${kind}`)).length
    return filesystems + devices - (ephemeral.get(pod.uid)?.length ?? 0) < wanted
  })
})
