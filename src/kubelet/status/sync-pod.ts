// Brings one status to the API server, and removes the pod there when it may go. Upstream: status/status_manager.go, syncPod
import {isDeepStrictEqual} from 'node:util'
import type {Pod} from '../pod.ts'
import {CallFailure, isFailure} from '../port.ts'
import type {ApiMethods, KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import type {CanBeDeleted, PodDeletionSafety} from './can-be-deleted.ts'
import type {RateLimiter} from './client-rate-limit.ts'
import {mergePodStatus} from './merge-pod-status.ts'
import {deletePodStatus, type StatusCache, type SyncRequest} from './status-cache.ts'

export interface SyncPodOptions {
  readonly profile: Profile
  readonly rateLimit: RateLimiter
  readonly ports: KubeletPorts
  readonly safety: PodDeletionSafety
  readonly cache: StatusCache
  readonly deletable: CanBeDeleted
  readonly onSent: (uid: string, version: number) => void
  readonly signal: AbortSignal
}

/** What fails is tried again with the next batch: it counts as sent only when the server took it. */
export function syncPod(options: SyncPodOptions): (request: SyncRequest) => Promise<void> {
  const {profile, ports, rateLimit, safety, cache, deletable, onSent, signal} = options
  const {log} = ports
  const patchesEqual = !profile.switches.has('equal-not-patched')

  // Upstream gives these calls no deadline: one that hangs holds all statuses.
  const call = async <M extends keyof ApiMethods & string>(
    method: M,
    request: ApiMethods[M]['request'],
  ): Promise<ApiMethods[M]['response']> => {
    await rateLimit.wait(signal)
    return ports.api.call(method, request, {timeoutMs: Number.POSITIVE_INFINITY, signal})
  }

  const patched = async (pod: Pod, {uid, status: {namespace, name, status, version}}: SyncRequest): Promise<Pod> => {
    const merged = mergePodStatus(profile, pod.status, status, () => safety.podCouldHaveRunningContainers(pod), ports.clock.now())
    if (patchesEqual || !isDeepStrictEqual(merged, pod.status)) return call('PATCH pod/status', {namespace, name, uid, status: merged})
    log({text: 'Status for pod is up-to-date', pod: `${namespace}/${name}`, fields: {version}})
    return pod
  }

  return async (request) => {
    const {uid, status} = request
    const {namespace, name} = status
    const say = (text: string, error?: CallFailure) =>
      log({text, pod: `${namespace}/${name}`, ...(error && {fields: {error: error.message}})})

    const found = await answer(call('GET pod', {namespace, name}))
    // Of a pod that is gone, the entry stays until it is removed as an orphan.
    if (isFailure(found, 'NotFound')) return say('Pod does not exist on the server')
    if (found instanceof CallFailure) return say('Failed to get status for pod', found)
    if (found.metadata.uid !== uid) {
      say('Pod was deleted and then recreated, skipping status update')
      return deletePodStatus(cache, uid)
    }

    const pod = await answer(patched(found, request))
    if (pod instanceof CallFailure) return say('Failed to update status for pod', pod)
    onSent(uid, status.version)

    if (!(await deletable(pod, status.status, status.podIsFinished, log))) return
    const deleted = await answer(call('DELETE pod', {namespace, name, uid, gracePeriodSeconds: 0}))
    if (deleted instanceof CallFailure) return say('Failed to delete status for pod', deleted)
    say('Pod fully terminated and removed from etcd')
    deletePodStatus(cache, uid)
  }
}

/** Go's way to have errors; what is no failure of the call is ours. */
async function answer<T>(call: Promise<T>): Promise<T | CallFailure> {
  try {
    return await call
  } catch (error) {
    if (error instanceof CallFailure) return error
    throw error
  }
}
