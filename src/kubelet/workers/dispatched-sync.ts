// One sync of a pod, up to 1.21. Upstream: kubelet.go, syncPod

import {type Pod, podKey} from '../pod.ts'
import {runningThings} from '../runtime/kuberuntime.ts'
import type {RuntimePodStatus} from '../runtime/runtime-pod.ts'
import {errorOf} from '../runtime/sync-result.ts'
import {podIsTerminated} from './dispatch-work.ts'
import type {Work} from './dispatched-workers.ts'
import type {PodKiller} from './pod-killer.ts'
import type {PodLifecycleOptions} from './pod-lifecycle.ts'

export function dispatchedSync(
  options: PodLifecycleOptions,
  podsToKill: Pick<PodKiller, 'isPodPendingTermination'>,
): (work: Work, status: RuntimePodStatus) => Promise<void> {
  const {profile, volumes, statusManager, killer, generate, syncRuntime, reasonCache, signal} = options

  const killsAwaited = profile.switches.has('kills-awaited')

  const killPod = async (pod: Pod, podStatus: RuntimePodStatus, grace?: number): Promise<void> => {
    const error = errorOf(await killer.killPod(pod, runningThings(podStatus), grace))
    if (error !== undefined) throw error
  }

  return async ({pod, kill}, podStatus) => {
    if (kill !== undefined) {
      // As the one who kills it says, without asking what its containers do.
      statusManager.setPodStatus(pod, kill.status)
      return killPod(pod, podStatus, kill.grace)
    }
    if (killsAwaited && podsToKill.isPodPendingTermination(podKey(pod))) throw new Error(`pod "${podKey(pod)}" is pending termination`)
    const status = generate(pod, podStatus, false)
    statusManager.setPodStatus(pod, status)
    if (pod.metadata.deletionTimestamp !== undefined || status.phase === 'Failed') return killPod(pod, podStatus)

    // The volume manager mounts nothing for a pod that has ended.
    if (!podIsTerminated(statusManager, pod)) await volumes.waitForAttachAndMount(pod, signal)
    const result = await syncRuntime(pod, podStatus)
    reasonCache.update(pod.metadata.uid, result.syncResults)
    // Upstream means to pass over mere back-offs, and never does: there is always one more result, of the sandbox's configuration.
    const error = errorOf(result)
    if (error !== undefined) throw error
  }
}
