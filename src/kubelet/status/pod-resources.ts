// Whether the API object of a deleted pod may go, up to 1.26. Upstream: kubelet_pods.go, PodResourcesAreReclaimed

import type {PodCache} from '../pleg/pod-cache.ts'
import {type PodStatus, podKey} from '../pod.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import type {VolumeManager} from '../volumes/volume-manager.ts'
import {notRunning} from '../workers/pod-lifecycle.ts'
import type {PodDeletionSafety} from './can-be-deleted.ts'

export interface PodResourcesOptions {
  readonly profile: Profile
  readonly cache: PodCache
  readonly ports: Pick<KubeletPorts, 'log'>
  readonly podVolumesExist: VolumeManager['podVolumesExist']
  readonly couldHaveRunningContainers: (uid: string) => boolean
}

/** The pod's cgroup, which has to be gone too, is not modelled. */
export function podResources({profile, cache, ports, podVolumesExist, couldHaveRunningContainers}: PodResourcesOptions): PodDeletionSafety {
  const deadNotAwaited = profile.switches.has('dead-not-awaited')
  const running = 'some containers are still running'
  const containersOf = (uid: string, status: PodStatus): string | undefined => {
    if (deadNotAwaited) {
      if (couldHaveRunningContainers(uid)) return running
      return countRunningContainerStatus(status) > 0 ? 'some container status has not yet been reported' : undefined
    }
    if (!notRunning(status)) return running
    const cached = cache.get(uid)
    if ('error' in cached) return 'Error getting runtimeStatus from the podCache'
    return cached.status.containers.length > 0 ? 'some containers have not been cleaned up' : undefined
  }
  return {
    podCouldHaveRunningContainers: ({metadata}) => couldHaveRunningContainers(metadata.uid),
    podResourcesAreReclaimed: (pod, status) => {
      const {uid} = pod.metadata
      const isFree = (kept: string | undefined): boolean => {
        if (kept !== undefined) ports.log({text: `Pod is terminated, but ${kept}`, pod: podKey(pod)})
        return kept === undefined
      }
      const kept = containersOf(uid, status)
      if (kept !== undefined) return isFree(kept)
      const withVolumes = (exist: boolean) => isFree(exist ? 'some volumes have not been cleaned up' : undefined)
      const exist = podVolumesExist(uid)
      return typeof exist === 'boolean' ? withVolumes(exist) : exist.then(withVolumes)
    },
  }
}

/** Here init containers count, too, which notRunning() does not look at. */
const countRunningContainerStatus = ({containerStatuses, initContainerStatuses}: PodStatus): number =>
  [...initContainerStatuses, ...containerStatuses].filter(({state}) => 'running' in state).length
