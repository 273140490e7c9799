// The pods that the kubelet is to run, as the API server last said. Upstream: pod/pod_manager.go
import type {Pod} from './pod.ts'

/** A set of uids, or whoever can tell what would be in it: of ten thousand pods none is made every two seconds. */
export type Known = Pick<ReadonlySet<string>, 'has'>

export interface PodManager {
  getPods(): readonly Pod[]
  getPodByUID(uid: string): Pod | undefined
  has(uid: string): boolean
  /** Those that may not run for ever. */
  withDeadline(): Iterable<Pod>
  withVolumes(): Iterable<Pod>
  /** How often it was changed so far: who goes through all pods need not do it again for nothing. */
  changes(): number
  /** Adds it or takes the newer one. */
  updatePod(pod: Pod): void
  deletePod(uid: string): void
}

export function podManager(): PodManager {
  const pods = new Map<string, Pod>()
  const withDeadline = new Map<string, Pod>()
  const withVolumes = new Map<string, Pod>()
  let changes = 0
  return {
    getPods: () => [...pods.values()],
    getPodByUID: (uid) => pods.get(uid),
    has: (uid) => pods.has(uid),
    withDeadline: () => withDeadline.values(),
    withVolumes: () => withVolumes.values(),
    changes: () => changes,
    updatePod: (pod) => {
      changes++
      pods.set(pod.metadata.uid, pod)
      if (pod.spec.activeDeadlineSeconds !== undefined) withDeadline.set(pod.metadata.uid, pod)
      if ((pod.spec.volumes ?? []).length > 0) withVolumes.set(pod.metadata.uid, pod)
    },
    deletePod: (uid) => {
      changes++
      pods.delete(uid)
      withDeadline.delete(uid)
      withVolumes.delete(uid)
    },
  }
}
