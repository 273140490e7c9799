// Whose pods and volumes are on a node, for a proxy that is to leave some of them alone: CSI's calls have a pod's UID and a volume's handle.
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {PodName, VolumeName} from '../call/names/name-index.ts'

export interface KnownNames {
  readonly knownPods: readonly PodName[]
  readonly knownVolumes: readonly VolumeName[]
}

/** Their calls pass, whatever the rules say. */
export const leftAlone: readonly string[] = ['kube-system']

/** By every source that has them; the runtime's sandboxes need no credentials. */
export function knownNames({readings}: Pick<Snapshot, 'readings'>): KnownNames {
  const sandboxes = (known(readings['runtime.sandboxes']) ?? []).flatMap(({metadata}) => metadata ?? [])
  const listed = [...(known(readings['kubelet.pods']) ?? []), ...(known(readings['api.pods']) ?? [])]
  const pods = new Map([...sandboxes, ...listed].map(({namespace, name, uid}) => [uid, {namespace, name, uid}]))
  const claims = new Map(listed.map(({uid, volumes}) => [uid, volumes.flatMap(({claim}) => claim ?? [])]))
  const volumes = (known(readings['disk.vol-data']) ?? []).flatMap(({path, data}): VolumeName[] => {
    const [, uid = '', pv = ''] = /^pods\/([^/]+)\/volumes\/kubernetes\.io~csi\/([^/]+)\/vol_data\.json$/.exec(path) ?? []
    const pod = pods.get(uid)
    if (pod === undefined || !leftAlone.includes(pod.namespace) || 'unreadable' in data) return []
    const [only, ...others] = claims.get(uid) ?? []
    // Of several nobody says which; the namespace is what counts.
    const claim = only !== undefined && others.length === 0 ? only : pv
    const {driverName: driver, volumeHandle: volumeId} = data
    return [{pvc: `${pod.namespace}/${claim}`, pv, ...(driver !== undefined && {driver}), ...(volumeId !== undefined && {volumeId})}]
  })
  return {knownPods: [...pods.values()], knownVolumes: volumes}
}
