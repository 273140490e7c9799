// Pods that may have a volume which no directory of theirs shows.
import {oncePer} from '../../base/once-per.ts'
import {isOver} from '../../node/pod.ts'
import type {DetectContext} from '../detector.ts'
import {type KnownPod, knownPods} from './waiting-pods.ts'

/** Sources in a pod's spec that make no directory, or one that no claim can be behind. */
const withoutClaim = new Set(['configMap', 'secret', 'projected', 'emptyDir', 'downwardAPI', 'gitRepo', 'hostPath', 'csi', 'image'])

/** Pods with more claims than their directories account for. */
export const possibleUsers: (context: DetectContext) => readonly KnownPod[] = oncePer(({snapshot, belief}) =>
  (knownPods(snapshot) ?? []).filter(({pod}) => {
    const wanted = pod.volumes.filter(({kind}) => !withoutClaim.has(kind)).length
    return wanted > 0 && !isOver(pod) && (belief?.persistent.get(pod.uid) ?? 0) < wanted
  }),
)
