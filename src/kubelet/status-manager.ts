// What the kubelet says of its pods: the side that writes into the cache. Upstream: status/status_manager.go
import {Channel} from './channel.ts'
import {type ContainerStatus, type Pod, type PodCondition, type PodStatus, podKey} from './pod.ts'
import type {Known} from './pod-manager.ts'
import {checkContainerStateTransition} from './status/container-transition.ts'
import {isPodStatusByKubeletEqual, normaliseStatus} from './status/normalise-status.ts'
import {generateReadyConditions, podConditionByKubelet} from './status/pod-conditions.ts'
import {deletePodStatus, type StatusCache, type SyncRequest} from './status/status-cache.ts'
import {type StatusManagerOptions, startStatusSync} from './status/status-sync.ts'
import {terminatedStatus} from './status/terminated-status.ts'

export interface StatusManager {
  /** The status in the cache. */
  getPodStatus(uid: string): PodStatus | undefined
  setPodStatus(pod: Pod, status: PodStatus): void
  /** What a probe found. */
  setContainerReadiness(uid: string, containerID: string, ready: boolean): void
  terminatePod(pod: Pod): void
  removeOrphanedStatuses(uids: Known): void
  /** How often a status in the cache was changed so far. */
  changes(): number
}

export interface StartedStatusManager extends StatusManager {
  /** How often the loop's closure was entered: once, or once for each event. */
  closureEntries(): number
}

export function startStatusManager(options: StatusManagerOptions): StartedStatusManager {
  const {profile, ports, podManager} = options
  const {clock, log} = ports
  const cache: StatusCache = {podStatuses: new Map(), unsent: new Set(), changes: 0}
  const wakesOnly = profile.switches.has('channel-wakes-only')
  const channel = new Channel<SyncRequest>(wakesOnly ? 1 : 1000)
  const sync = startStatusSync({...options, cache, channel, wakesOnly})

  const updateStatusInternal = (pod: Pod, generated: PodStatus, force: boolean, isFinished: boolean): void => {
    const {uid} = pod.metadata
    const cached = cache.podStatuses.get(uid)
    const old = cached?.status ?? pod.status
    const error = checkContainerStateTransition(old, generated, pod.spec.restartPolicy)
    if (error !== undefined) {
      log({text: 'Status update on pod aborted', pod: podKey(pod), fields: {error}})
      return
    }

    const status = normaliseStatus(pod, {
      ...generated,
      conditions: generated.conditions.map((condition) => withTransitionTime(condition, old, clock.now())),
      // The first one stays.
      startTime: old.startTime ?? generated.startTime ?? clock.now(),
    })
    if (cached && !force && isPodStatusByKubeletEqual(cached.status, status)) return

    const versioned = {
      namespace: pod.metadata.namespace,
      name: pod.metadata.name,
      status,
      version: (cached?.version ?? 0) + 1,
      at: cached?.at ?? clock.now(),
      // Once it is, it stays.
      podIsFinished: isFinished || (cached?.podIsFinished ?? false),
    }
    cache.podStatuses.set(uid, versioned)
    cache.changes++
    cache.unsent.add(uid)
    // Nobody waits for room: what does not fit is left to the next batch. A token that is there already says all there is to say.
    const sent = channel.trySend({uid, status: versioned})
    if (!sent && !wakesOnly) log({text: 'Skipping the status update for pod for now because the channel is full', pod: podKey(pod)})
  }

  return {
    getPodStatus: (uid) => cache.podStatuses.get(uid)?.status,
    // Forced of a deleted pod: it may be that its object can go now.
    setPodStatus: (pod, status) => updateStatusInternal(pod, status, pod.metadata.deletionTimestamp !== undefined, false),
    setContainerReadiness: (uid, containerID, ready) => {
      const pod = podManager.getPodByUID(uid)
      const cached = cache.podStatuses.get(uid)
      if (pod === undefined || cached === undefined) return
      const found = findContainerStatus(cached.status, containerID)
      if (found === undefined || found.ready === ready) return
      const status = withReadiness(cached.status, found, ready)
      const conditions = replaceConditions(status.conditions, generateReadyConditions(profile, pod.spec, status))
      updateStatusInternal(pod, {...status, conditions}, false, false)
    },
    terminatePod: (pod) => {
      const cached = cache.podStatuses.get(pod.metadata.uid)?.status
      const {phase} = cached ?? pod.status
      const ended = terminatedStatus(profile, pod, cached ?? pod.status)
      if (ended.phase !== phase) {
        const of = {pod: podKey(pod), fields: {oldPhase: phase}}
        if (cached && phase === 'Running') {
          log({text: 'Terminal running pod should have already been marked as failed, programmer error', ...of})
        }
        log({text: 'Marking terminal pod as failed', ...of})
      }
      updateStatusInternal(pod, ended, true, true)
    },
    removeOrphanedStatuses: (uids) => {
      for (const uid of cache.podStatuses.keys()) {
        if (!uids.has(uid)) deletePodStatus(cache, uid)
      }
    },
    changes: () => cache.changes,
    closureEntries: sync.closureEntries,
  }
}

/** Upstream: updateLastTransitionTime */
function withTransitionTime(condition: PodCondition, old: PodStatus, now: number): PodCondition {
  if (!podConditionByKubelet(condition)) return condition
  const before = old.conditions.find(({type}) => type === condition.type)
  return {...condition, lastTransitionTime: (before?.status === condition.status && before.lastTransitionTime) || now}
}

function findContainerStatus(status: PodStatus, containerID: string): ContainerStatus | undefined {
  const is = (each: ContainerStatus) => each.containerID === containerID
  return status.containerStatuses.find(is) ?? status.initContainerStatuses.find(is)
}

function withReadiness(status: PodStatus, container: ContainerStatus, ready: boolean): PodStatus {
  const set = (each: ContainerStatus) => (each === container ? {...each, ready} : each)
  return {...status, containerStatuses: status.containerStatuses.map(set), initContainerStatuses: status.initContainerStatuses.map(set)}
}

/** In their places; those that are missing at the end. */
function replaceConditions(conditions: readonly PodCondition[], by: readonly PodCondition[]): readonly PodCondition[] {
  const next = new Map(conditions.map((each) => [each.type, each]))
  for (const each of by) next.set(each.type, each)
  return [...next.values()]
}
