// The pods that the kubelet is to run, as the API server last said. Upstream: pod/pod_manager.go
import type {Pod} from './pod.ts'

export interface PodManager {
  getPods(): readonly Pod[]
  getPodByUID(uid: string): Pod | undefined
  /** Adds it or takes the newer one. */
  updatePod(pod: Pod): void
  deletePod(uid: string): void
}

export function podManager(): PodManager {
  const pods = new Map<string, Pod>()
  return {
    getPods: () => [...pods.values()],
    getPodByUID: (uid) => pods.get(uid),
    updatePod: (pod) => void pods.set(pod.metadata.uid, pod),
    deletePod: (uid) => void pods.delete(uid),
  }
}
