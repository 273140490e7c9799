// The three syncs of a pod, from 1.22 on. Upstream: kubelet.go, SyncPod, SyncTerminatingPod, SyncTerminatedPod

import {type Pod, type PodStatus, podKey} from '../pod.ts'
import {exitsReadAfterKill} from '../pod-status.ts'
import {runningThings} from '../runtime/kuberuntime.ts'
import type {RuntimePod, RuntimePodStatus} from '../runtime/runtime-pod.ts'
import {getPodStatus} from '../runtime/runtime-pod-status.ts'
import {runtimePodOf} from '../runtime/runtime-pods.ts'
import {errorOf} from '../runtime/sync-result.ts'
import {isTerminalPhase} from '../status/get-phase.ts'
import type {PodLifecycleOptions} from './pod-lifecycle.ts'

export interface SyncOutcome {
  /** The pod has ended by itself. */
  readonly isTerminal: boolean
  /** To be done right after the sync. */
  readonly postSync?: () => void
}

export interface PodSyncer {
  syncPod(pod: Pod, podStatus: RuntimePodStatus, cut: AbortSignal): Promise<SyncOutcome>
  syncTerminatingPod(
    pod: Pod,
    podStatus: RuntimePodStatus,
    grace: number | undefined,
    told: ((status: PodStatus) => PodStatus) | undefined,
  ): Promise<void>
  /** Of a pod that only the runtime knows. */
  syncTerminatingRuntimePod(running: RuntimePod): Promise<void>
  syncTerminatedPod(pod: Pod, podStatus: RuntimePodStatus, cut: AbortSignal): Promise<void>
}

const volumesPoll = 100

export function statefulSync(options: PodLifecycleOptions, isPodTerminationRequested: (uid: string) => boolean): PodSyncer {
  const {profile, ports, statusManager, killer, generate, syncRuntime, reasonCache, runtime, requestRelist, volumes} = options
  const {clock, log} = ports
  const exitsRead = exitsReadAfterKill(profile)
  const volumesAwaited = profile.switches.has('volumes-awaited')

  /** What the pod's containers are when all were stopped, asked of the runtime itself: the cache is older. */
  const stoppedStatus = async ({metadata: {uid, namespace, name}}: Pod): Promise<RuntimePodStatus> => {
    const listed = (await runtimePodOf(runtime, uid)) ?? {uid, namespace, name, sandboxes: [], containers: []}
    const stopped = await getPodStatus(runtime, listed)
    const running = stopped.containers.filter(({state}) => state === 'RUNNING').map(({id}) => id)
    if (running.length === 0) return stopped
    throw new Error(`detected running containers after a successful KillPod, CRI violation: [${running.join(' ')}]`)
  }

  return {
    syncPod: async (pod, podStatus, cut) => {
      const {uid} = pod.metadata
      const status = generate(pod, podStatus, false)
      statusManager.setPodStatus(pod, status)
      if (isTerminalPhase(status.phase)) return {isTerminal: true}
      if (!isPodTerminationRequested(uid)) await volumes.waitForAttachAndMount(pod, cut)
      // The runtime's part is not cut short: what it starts is stopped by the next sync.
      const result = await syncRuntime(pod, podStatus)
      reasonCache.update(uid, result.syncResults)
      const error = errorOf(result)
      if (error !== undefined) throw error
      return result.syncResults.length > 0 ? {isTerminal: false, postSync: () => requestRelist(uid)} : {isTerminal: false}
    },

    syncTerminatingPod: async (pod, podStatus, grace, told) => {
      const status = generate(pod, podStatus, false)
      statusManager.setPodStatus(pod, told === undefined ? status : told(status))
      const error = errorOf(await killer.killPod(pod, runningThings(podStatus), grace))
      if (error !== undefined) throw error
      const stopped = await stoppedStatus(pod)
      // Here, as the containers may be removed before the next sync sees them.
      if (exitsRead) statusManager.setPodStatus(pod, generate(pod, stopped, true))
      log({text: 'Pod termination stopped all running containers', pod: podKey(pod)})
    },

    syncTerminatingRuntimePod: async (running) => {
      const error = errorOf(await killer.killPod(undefined, running, 1))
      if (error !== undefined) throw error
      log({text: 'Pod termination stopped all running orphaned containers', pod: podKey({metadata: running})})
    },

    syncTerminatedPod: async (pod, podStatus, cut) => {
      statusManager.setPodStatus(pod, generate(pod, podStatus, exitsRead))
      await volumes.waitForUnmount(pod, cut)
      log({text: 'Pod termination unmounted volumes', pod: podKey(pod)})
      while (volumesAwaited && (await volumes.podVolumesExist(pod.metadata.uid))) await clock.sleep(volumesPoll, cut)
      statusManager.terminatePod(pod)
      log({text: 'Pod is terminated and will need no more status updates', pod: podKey(pod)})
    },
  }
}
