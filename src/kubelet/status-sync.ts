// What the kubelet says of its pods: the one loop that brings it to the API server, pod after pod. Upstream: status/status_manager.go
import {isDeepStrictEqual} from 'node:util'
import type {Dice} from '../base/dice.ts'
import {canBeDeleted, type PodDeletionSafety} from './can-be-deleted.ts'
import {type Channel, select, tick} from './channel.ts'
import {clientRateLimit} from './client-rate-limit.ts'
import {mergePodStatus} from './merge-pod-status.ts'
import {isPodStatusByKubeletEqual, normaliseStatus} from './normalise-status.ts'
import type {Pod, PodStatus} from './pod.ts'
import type {PodManager} from './pod-manager.ts'
import {type ApiMethods, CallFailure, isFailure, type KubeletConfig, type KubeletPorts} from './ports.ts'
import type {Profile} from './profiles.ts'

export interface VersionedPodStatus {
  readonly namespace: string
  readonly name: string
  readonly status: PodStatus
  /** Grows by one with each status of the pod. */
  readonly version: number
  readonly at: number
  /** Its worker has nothing left to do. */
  readonly podIsFinished: boolean
}

export interface StatusCache {
  /** By the pod's UID. */
  readonly podStatuses: Map<string, VersionedPodStatus>
  /** The pods of those whose version is newer than the one that was sent: so that a wake-up need not look at all. */
  readonly unsent: Set<string>
}

export interface SyncRequest {
  readonly uid: string
  readonly status: VersionedPodStatus
}

export interface StatusManagerOptions {
  readonly profile: Profile
  readonly config: KubeletConfig
  readonly ports: KubeletPorts
  readonly podManager: PodManager
  readonly safety: PodDeletionSafety
  readonly signal: AbortSignal
}

interface StatusSyncOptions extends StatusManagerOptions {
  readonly cache: StatusCache
  readonly channel: Channel<SyncRequest>
  /** What is in the channel says that something is new, not what. */
  readonly wakesOnly: boolean
}

const syncPeriodMs = 10_000

export function startStatusSync(options: StatusSyncOptions): {closureEntries(): number} {
  const {profile, ports, podManager, safety, cache, channel, wakesOnly, signal} = options
  const {clock, log} = ports
  const dice = ports.dice.of('status-manager')
  const rateLimit = clientRateLimit(profile, options.config, clock)
  const deletable = canBeDeleted(profile, safety)
  const patchesEqual = !profile.switches.has('equal-not-patched')
  const flushes = profile.switches.has('channel-flushed')
  const loops = profile.switches.has('loop-inside-closure')
  const apiStatusVersions = new Map<string, number>()
  /** The API's status that a cached one was found equal to: both never change, so they stay equal. */
  const reconciled = new WeakMap<PodStatus, PodStatus>()

  // Upstream gives these calls no deadline of their own.
  const call = async <M extends keyof ApiMethods & string>(
    method: M,
    request: ApiMethods[M]['request'],
  ): Promise<ApiMethods[M]['response']> => {
    await rateLimit.wait(signal)
    return ports.api.call(method, request, {timeoutMs: Number.POSITIVE_INFINITY, signal})
  }

  const needsUpdate = (uid: string, {version, status, podIsFinished}: VersionedPodStatus): boolean => {
    if ((apiStatusVersions.get(uid) ?? 0) < version) return true
    const pod = podManager.getPodByUID(uid)
    return pod !== undefined && deletable(pod, status, podIsFinished)
  }

  const needsReconcile = (uid: string, {status}: VersionedPodStatus): boolean => {
    const pod = podManager.getPodByUID(uid)
    if (pod === undefined || reconciled.get(status) === pod.status) return false
    if (!isPodStatusByKubeletEqual(normaliseStatus(pod, pod.status), status)) return true
    reconciled.set(status, pod.status)
    return false
  }

  const setSent = (uid: string, version: number) => {
    apiStatusVersions.set(uid, version)
    const latest = cache.podStatuses.get(uid)
    if (latest === undefined || latest.version <= version) cache.unsent.delete(uid)
  }

  const deletePodStatus = (uid: string) => {
    cache.podStatuses.delete(uid)
    cache.unsent.delete(uid)
  }

  const syncPod = async (uid: string, versioned: VersionedPodStatus): Promise<void> => {
    const {namespace, name, status, version, podIsFinished} = versioned
    const of = {pod: `${namespace}/${name}`}
    let pod: Pod
    try {
      pod = await call('GET pod', {namespace, name})
    } catch (error) {
      // Of one that is gone, the entry stays until it is removed as an orphan.
      if (isFailure(error, 'NotFound')) return log({...of, text: 'Pod does not exist on the server'})
      return log({...of, text: 'Failed to get status for pod', fields: failure(error)})
    }
    if (pod.metadata.uid !== uid) {
      log({...of, text: 'Pod was deleted and then recreated, skipping status update'})
      return deletePodStatus(uid)
    }
    const running = pod
    const merged = mergePodStatus(profile, pod.status, status, () => safety.podCouldHaveRunningContainers(running))
    if (patchesEqual || !isDeepStrictEqual(merged, pod.status)) {
      try {
        pod = await call('PATCH pod/status', {namespace, name, uid, status: merged})
      } catch (error) {
        return log({...of, text: 'Failed to update status for pod', fields: failure(error)})
      }
    } else log({...of, text: 'Status for pod is up-to-date', fields: {version}})
    setSent(uid, version)

    if (!deletable(pod, status, podIsFinished)) return
    try {
      await call('DELETE pod', {namespace, name, uid, gracePeriodSeconds: 0})
    } catch (error) {
      return log({...of, text: 'Failed to delete status for pod', fields: failure(error)})
    }
    log({...of, text: 'Pod fully terminated and removed from etcd'})
    deletePodStatus(uid)
  }

  const dirty = (): SyncRequest[] => {
    for (const uid of apiStatusVersions.keys()) if (!cache.podStatuses.has(uid)) apiStatusVersions.delete(uid)
    const requests: SyncRequest[] = []
    for (const [uid, status] of cache.podStatuses) {
      if (!needsUpdate(uid, status)) {
        if (!needsReconcile(uid, status)) continue
        // So that it is sent again.
        apiStatusVersions.delete(uid)
        cache.unsent.add(uid)
      }
      requests.push({uid, status})
    }
    return requests
  }

  const unsent = (): SyncRequest[] =>
    [...cache.unsent].flatMap((uid) => {
      const status = cache.podStatuses.get(uid)
      return status ? [{uid, status}] : []
    })

  const syncBatch = async (requests: SyncRequest[]): Promise<void> => {
    // Go goes through its maps in any order.
    for (const {uid, status} of shuffled(requests, dice)) await syncPod(uid, status)
  }

  const ticks = tick(clock, syncPeriodMs, signal)

  const onTick = async () => {
    const queued = channel.length
    const dropped = flushes && !wakesOnly ? queued : 0
    for (let count = dropped; count > 0; count--) channel.tryReceive()
    const requests = dirty()
    const text = wakesOnly ? 'Syncing all statuses' : 'Status Manager: syncing batch'
    if (queued > 0 || requests.length > 0) log({text, fields: {queued, dropped, dirty: requests.length}})
    await syncBatch(requests)
  }

  const onRequest = async ({uid, status}: SyncRequest) => {
    if (wakesOnly) return syncBatch(unsent())
    if (needsUpdate(uid, status)) return syncPod(uid, status)
    log({text: 'Status for pod is up-to-date; skipping', pod: `${status.namespace}/${status.name}`, fields: {version: status.version}})
  }

  const closure = async () => {
    do {
      const ready = await select<Channel<unknown>>([channel, ticks], dice, signal)
      const request = ready === ticks ? (ticks.tryReceive(), undefined) : channel.tryReceive()
      await (request === undefined ? onTick() : onRequest(request))
    } while (loops)
  }

  let entries = 0
  const forever = async () => {
    while (!signal.aborted) {
      entries++
      await closure()
    }
  }
  forever().catch((error) => {
    if (!signal.aborted) throw error
  })
  return {closureEntries: () => entries}
}

const failure = (error: unknown) => {
  // What is no answer of the server is ours.
  if (!(error instanceof CallFailure)) throw error
  return {error: error.message}
}

function shuffled<T>(items: T[], dice: Dice): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = dice.roll(last + 1)
    ;[items[last], items[other]] = [items[other] as T, items[last] as T]
  }
  return items
}
