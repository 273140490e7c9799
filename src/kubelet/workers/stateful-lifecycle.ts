// How pods live and end from 1.22 on: their workers know how far they are. Upstream: kubelet.go, kubelet_pods.go

import {type Pod, podKey} from '../pod.ts'
import {isTerminalPhase} from '../status/get-phase.ts'
import {killPodNow} from './kill-pod-now.ts'
import {evictedReason, type PodLifecycle, type PodLifecycleOptions} from './pod-lifecycle.ts'
import {statefulSync} from './stateful-sync.ts'
import {statefulWorkers} from './stateful-workers.ts'

/** Hard evictions give no time; the worker makes it a second. */
const evictionGrace = 0

/** Seconds for a pod that nobody knows. */
const orphanGrace = 1

export function statefulLifecycle(options: PodLifecycleOptions): PodLifecycle {
  const {profile, ports, signal, podManager, statusManager, runtimeCache, backOff, volumes, spawn} = options
  const {clock, log} = ports
  const workers = statefulWorkers(options, () => syncer)
  const listsAnew = profile.switches.has('housekeeping-lists-anew')
  const syncer = statefulSync(options, workers.isPodTerminationRequested)

  /** Upstream: isPodInactive */
  const isInactive = ({metadata: {uid}, status}: Pod): boolean => {
    if (!workers.couldHaveRunningContainers(uid)) return true
    const phases = [status.phase, statusManager.getPodStatus(uid)?.phase]
    return phases.some((phase) => phase !== undefined && isTerminalPhase(phase)) && !workers.isPodTerminationRequested(uid)
  }

  return {
    update: (pod, type) => workers.updatePod({pod, type}),
    remove: async (pod) => workers.updatePod({pod, type: 'kill'}),
    evict: (pod, message) => {
      // The eviction manager chooses among active pods.
      if (isInactive(pod)) return
      const killed = killPodNow(clock, signal, evictionGrace, (onCompleted) => {
        workers.updatePod({
          pod,
          type: 'kill',
          kill: {
            evict: true,
            grace: evictionGrace,
            status: (status) => ({...status, phase: 'Failed', reason: evictedReason, message}),
            onCompleted,
          },
        })
      })
      const report = (error: unknown) => {
        signal.throwIfAborted()
        log({text: 'Eviction manager: pod failed to evict', pod: podKey(pod), fields: {err: String(error)}})
      }
      spawn(killed.catch(report))
    },
    readinessChanged: (pod) => workers.updatePod({pod, type: 'sync'}),
    // A pod that came again with the same uid, and one that was rejected at admission, do not happen here.
    housekeeping: async () => {
      workers.syncKnownPods(podManager)
      const running = await (listsAnew ? runtimeCache.update() : runtimeCache.getPods())
      statusManager.removeOrphanedStatuses(podManager)
      await volumes.cleanupOrphanedPodDirs(async () => running)
      for (const [uid, runningPod] of running) {
        if (!workers.isKnown(uid)) workers.updatePod({type: 'kill', runningPod, kill: {grace: orphanGrace}})
      }
      backOff.gc()
    },
    contentMayGo: workers.shouldPodContentBeRemoved,
    endedMayGo: workers.shouldPodContentBeRemoved,
    couldHaveRunningContainers: workers.couldHaveRunningContainers,
    podStates: {
      // At the start, of a pod that may still run whatever its object says.
      wantsVolumes: ({metadata: {uid}}, populated) =>
        populated ? !workers.shouldPodContainersBeTerminating(uid) : !workers.shouldPodRuntimeBeRemoved(uid),
      removalPass: () => ({mayLoseVolumes: workers.shouldPodRuntimeBeRemoved}),
    },
  }
}
