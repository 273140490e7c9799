// The pods of one node, as the API server tells of them over HTTP. Upstream: client-go/tools/cache/reflector.go, kubelet/config/apiserver.go
import type {Clock} from '../../base/clock.ts'
import type {Pod} from '../../kubelet/pod.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {PodEvent} from '../../kubelet/ports.ts'
import type {RestClient} from './rest-client.ts'

interface Reflector {
  readonly client: RestClient
  readonly clock: Clock
  readonly nodeName: string
  readonly podOf: (document: unknown) => Pod
  readonly onEvent: (event: PodEvent) => void
  readonly signal: AbortSignal
}

const retryAfter = 1000

/**
 * Begins with all pods as ADDED, by the watch itself (sendInitialEvents). When a watch ends it begins again, and what is not among its first pods any more
 * is DELETED. Returns when the signal is aborted.
 */
export async function watchPods(reflector: Reflector): Promise<void> {
  const {clock, signal} = reflector
  const known = new Map<string, Pod>()
  while (!signal.aborted) {
    try {
      await watchOnce(reflector, known)
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
    }
    await clock.sleep(retryAfter, signal).catch(() => undefined)
  }
}

async function watchOnce({client, nodeName, podOf, onEvent, signal}: Reflector, known: Map<string, Pod>): Promise<void> {
  const query = new URLSearchParams({
    watch: 'true',
    fieldSelector: `spec.nodeName=${nodeName}`,
    sendInitialEvents: 'true',
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: 'true',
  })
  const before = new Set(known.keys())
  for await (const line of client.lines({method: 'GET', path: `/api/v1/pods?${query}`, signal})) {
    const {type, object} = line as {readonly type: string; readonly object: unknown}
    if (type === 'BOOKMARK') {
      if (isEndOfList(object)) forget(before, known, onEvent)
      continue
    }
    if (type === 'ERROR') return
    const pod = podOf(object)
    const {uid} = pod.metadata
    before.delete(uid)
    if (type === 'DELETED') {
      known.delete(uid)
      onEvent({type, pod})
    } else {
      const old = known.get(uid)
      known.set(uid, pod)
      if (old?.metadata.resourceVersion !== pod.metadata.resourceVersion) onEvent({type: old === undefined ? 'ADDED' : 'MODIFIED', pod})
    }
  }
}

const isEndOfList = (object: unknown): boolean =>
  (object as {metadata?: {annotations?: Record<string, string>}}).metadata?.annotations?.['k8s.io/initial-events-end'] === 'true'

function forget(uids: Iterable<string>, known: Map<string, Pod>, onEvent: (event: PodEvent) => void): void {
  for (const uid of uids) {
    const pod = known.get(uid)
    known.delete(uid)
    if (pod !== undefined) onEvent({type: 'DELETED', pod})
  }
}
