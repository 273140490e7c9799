// What the volume manager asks of those who run the pods. Upstream: volumemanager/populator, PodStateProvider; up to 1.21 its own business
import type {Pod} from '../pod.ts'

export interface PodStates {
  /** @param populated all pods that were there at the start have been looked at once */
  wantsVolumes(pod: Pod, populated: boolean): boolean
  /** Undefined: it is too early to look again. */
  removalPass(): RemovalPass | undefined
}

export interface RemovalPass {
  /** Nothing of the pod runs, nor will. @param pod absent when its object is gone */
  mayLoseVolumes(uid: string, pod: Pod | undefined): boolean | Promise<boolean>
}
