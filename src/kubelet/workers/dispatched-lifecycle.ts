// How pods live and end up to 1.21: each event decides what to do. Upstream: kubelet.go, kubelet_pods.go

import {type PodStatus, podKey} from '../pod.ts'
import {type RuntimePods, runningOf} from '../runtime/runtime-pods.ts'
import {dispatchWork, podIsTerminated} from './dispatch-work.ts'
import {dispatchedPodStates} from './dispatched-pod-states.ts'
import {dispatchedSync} from './dispatched-sync.ts'
import {dispatchedWorkers} from './dispatched-workers.ts'
import {killPodNow} from './kill-pod-now.ts'
import {podKiller} from './pod-killer.ts'
import {evictedReason, notRunning, type PodLifecycle, type PodLifecycleOptions, podIsEvicted} from './pod-lifecycle.ts'
import {requeueAfter} from './requeue.ts'

/** Hard evictions give no time. */
const evictionGrace = 0

export function dispatchedLifecycle(options: PodLifecycleOptions): PodLifecycle {
  const {
    profile,
    ports,
    signal,
    podManager,
    statusManager,
    cache,
    queue,
    runtimeCache,
    killer,
    backOff,
    volumes,
    getPods,
    generate,
    spawn,
  } = options
  const {clock, dice, log} = ports
  const podsToKill = podKiller(killer, log, spawn)
  const probesSync = profile.switches.has('probes-sync-pods')
  const workers = dispatchedWorkers({
    clock,
    cache,
    queue,
    syncPod: dispatchedSync(options, podsToKill),
    requeueAfter: requeueAfter(profile, dice.of('requeue')),
    log,
    signal,
    spawn,
  })
  const dispatch = dispatchWork({profile, statusManager, updatePod: (pod) => workers.updatePod({pod}), log})

  // Made anew when a pod or a status has changed: of ten thousand pods each would be looked up five times, every two seconds.
  let active: {readonly changes: number; readonly uids: ReadonlySet<string>} | undefined
  /** Upstream: filterOutTerminatedPods */
  const activePods = (): ReadonlySet<string> => {
    const changes = podManager.changes() + statusManager.changes()
    if (active?.changes !== changes) {
      const pods = podManager.getPods().filter((pod) => !podIsTerminated(statusManager, pod))
      active = {changes, uids: new Set(pods.map(({metadata}) => metadata.uid))}
    }
    return active.uids
  }
  let orphansRemovedAt = -1
  let allDesired: {readonly runningPods: RuntimePods; readonly desired: ReadonlySet<string>} | undefined

  return {
    update: dispatch,
    remove: async (pod) => {
      workers.forgetWorker(pod.metadata.uid)
      // One that the list does not show yet is left to housekeeping.
      const running = (await runtimeCache.getPods()).get(pod.metadata.uid)
      if (running !== undefined) podsToKill.kill(running, pod)
    },
    evict: (pod, message) => {
      // The eviction manager chooses among active pods. Upstream: filterOutTerminatedPods
      if (podIsTerminated(statusManager, pod)) return
      const status: PodStatus = {
        phase: 'Failed',
        reason: evictedReason,
        message,
        conditions: [],
        initContainerStatuses: [],
        containerStatuses: [],
      }
      const killed = killPodNow(clock, signal, evictionGrace, (onComplete) => {
        workers.updatePod({pod, kill: {status, grace: evictionGrace, onComplete}})
      })
      spawn(killed.catch((error) => reportUnevicted(error, podKey(pod))))
    },
    readinessChanged: (pod) => {
      if (probesSync) dispatch(pod, 'sync')
    },
    housekeeping: async () => {
      workers.forgetNonExistingPodWorkers(activePods())
      const runningPods = await runtimeCache.getPods()
      const desired = activePods()
      // Neither has changed since the last time, when all that ran was desired.
      if (runningPods !== allDesired?.runningPods || desired !== allDesired.desired) {
        const undesired = [...runningPods.values()].filter(({uid}) => !desired.has(uid))
        for (const running of undesired) podsToKill.kill(running)
        allDesired = undesired.length === 0 ? {runningPods, desired} : undefined
      }
      if (orphansRemovedAt !== active?.changes) statusManager.removeOrphanedStatuses(podManager)
      orphansRemovedAt = podManager.changes() + statusManager.changes()
      // Not from the cache: what may have started meanwhile still needs its directory.
      await volumes.cleanupOrphanedPodDirs(async () => runningOf(await getPods()))
      backOff.gc()
    },
    contentMayGo: (uid) => {
      const pod = podManager.getPodByUID(uid)
      if (pod === undefined) return true
      const status = statusManager.getPodStatus(uid) ?? pod.status
      return podIsEvicted(status) || (pod.metadata.deletionTimestamp !== undefined && notRunning(status))
    },
    endedMayGo: (uid, podStatus) => {
      const pod = podManager.getPodByUID(uid)
      if (pod === undefined) return false
      // By what the runtime says now, whatever was told of the pod yet: this is how an exit can go before anybody has read it.
      return podIsEvicted(pod.status) || (pod.metadata.deletionTimestamp !== undefined && notRunning(generate(pod, podStatus, false)))
    },
    // These workers do not know it: the runtime's last word.
    couldHaveRunningContainers: (uid) => {
      const cached = cache.get(uid)
      return 'error' in cached || cached.status.containers.some(({state}) => state === 'RUNNING')
    },
    podStates: dispatchedPodStates(options),
  }

  function reportUnevicted(error: unknown, pod: string): void {
    signal.throwIfAborted()
    log({text: 'eviction manager: pod failed to evict', pod, fields: {err: String(error)}})
  }
}
