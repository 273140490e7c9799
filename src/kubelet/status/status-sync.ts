// The one loop that brings statuses to the API server, pod after pod. Upstream: status/status_manager.go, Start, syncBatch, needsUpdate, needsReconcile
//
// There are no static pods here, so a pod's UID is the one that the API server knows, and nothing is translated to mirror pods.
import type {Dice} from '../../base/dice.ts'
import {type Channel, select, tick} from '../channel.ts'
import type {PodStatus} from '../pod.ts'
import type {PodManager} from '../pod-manager.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import {canBeDeleted, type PodDeletionSafety} from './can-be-deleted.ts'
import type {RateLimiter} from './client-rate-limit.ts'
import {isPodStatusByKubeletEqual, normaliseStatus} from './normalise-status.ts'
import type {StatusCache, SyncRequest, VersionedPodStatus} from './status-cache.ts'
import {syncPod} from './sync-pod.ts'

export interface StatusManagerOptions {
  readonly profile: Profile
  /** Of the client that the whole kubelet has. */
  readonly rateLimit: RateLimiter
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
  const flushes = profile.switches.has('channel-flushed')
  const loops = profile.switches.has('loop-inside-closure')
  const deletable = canBeDeleted(profile, safety)
  const apiStatusVersions = new Map<string, number>()
  /** The API's status that a cached one was found equal to: neither ever changes. */
  const reconciled = new WeakMap<PodStatus, PodStatus>()

  const onSent = (uid: string, version: number) => {
    apiStatusVersions.set(uid, version)
    if ((cache.podStatuses.get(uid)?.version ?? 0) <= version) cache.unsent.delete(uid)
  }
  const sync = syncPod({...options, deletable, onSent})

  const isNew = (uid: string, {version}: VersionedPodStatus): boolean => (apiStatusVersions.get(uid) ?? 0) < version

  const needsUpdate = ({uid, status}: SyncRequest): boolean | Promise<boolean> => {
    if (isNew(uid, status)) return true
    const pod = podManager.getPodByUID(uid)
    return pod !== undefined && deletable(pod, status.status, status.podIsFinished)
  }

  const needsReconcile = ({uid, status: {status}}: SyncRequest): boolean => {
    const pod = podManager.getPodByUID(uid)
    if (pod === undefined || reconciled.get(status) === pod.status) return false
    if (!isPodStatusByKubeletEqual(normaliseStatus(pod, pod.status), status)) return true
    reconciled.set(status, pod.status)
    return false
  }

  const all = async (): Promise<SyncRequest[]> => {
    for (const uid of apiStatusVersions.keys()) if (!cache.podStatuses.has(uid)) apiStatusVersions.delete(uid)
    const due: SyncRequest[] = []
    for (const request of requestsOf(cache.podStatuses)) {
      const needed = needsUpdate(request)
      // Of ten thousand pods hardly any has to be waited for.
      if (needed === true || (needed !== false && (await needed))) due.push(request)
      else if (needsReconcile(request)) {
        // So that it is sent again.
        apiStatusVersions.delete(request.uid)
        cache.unsent.add(request.uid)
        due.push(request)
      }
    }
    return due
  }

  const updated = (): SyncRequest[] =>
    [...cache.unsent].flatMap((uid) => {
      const status = cache.podStatuses.get(uid)
      return status && isNew(uid, status) ? [{uid, status}] : []
    })

  const syncBatch = async (requests: SyncRequest[]): Promise<void> => {
    // Go goes through its maps in any order.
    for (const request of shuffled(requests, dice)) await (wakesOnly ? sync(request) : syncIfNeeded(request))
  }

  /** Up to 1.26 each pod is looked at once more when its turn comes: by then it may be gone, or be up to date. */
  const syncIfNeeded = async (request: SyncRequest): Promise<void> => {
    if (await needsUpdate(request)) return sync(request)
    const {namespace, name, version} = request.status
    log({text: 'Status for pod is up-to-date; skipping', pod: `${namespace}/${name}`, fields: {version}})
  }

  const onTick = async (): Promise<void> => {
    const queued = channel.length
    const dropped = flushes && !wakesOnly ? queued : 0
    for (let count = dropped; count > 0; count--) channel.tryReceive()
    const requests = await all()
    const text = wakesOnly ? 'Syncing all statuses' : 'Status Manager: syncing batch'
    if (queued > 0 || requests.length > 0) log({text, fields: {queued, dropped, dirty: requests.length}})
    await syncBatch(requests)
  }

  const onRequest = async (request: SyncRequest): Promise<void> => (wakesOnly ? syncBatch(updated()) : syncIfNeeded(request))

  const ticks = tick(clock, syncPeriodMs, signal)
  const closure = async (): Promise<void> => {
    do {
      const ready = await select<Channel<unknown>>([channel, ticks], dice, signal)
      if (ready === ticks) {
        ticks.tryReceive()
        await onTick()
      } else {
        const request = channel.tryReceive()
        if (request) await onRequest(request)
      }
    } while (loops)
  }

  let closureEntries = 0
  const forever = async (): Promise<void> => {
    while (!signal.aborted) {
      closureEntries++
      await closure()
    }
  }
  forever().catch((error) => {
    if (!signal.aborted) throw error
  })
  return {closureEntries: () => closureEntries}
}

const requestsOf = (podStatuses: ReadonlyMap<string, VersionedPodStatus>): SyncRequest[] =>
  Array.from(podStatuses, ([uid, status]) => ({uid, status}))

function shuffled<T>(items: T[], dice: Dice): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = dice.roll(last + 1)
    ;[items[last], items[other]] = [items[other] as T, items[last] as T]
  }
  return items
}
