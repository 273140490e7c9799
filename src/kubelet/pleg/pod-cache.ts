// What the runtime said last of each pod, and who waits for it to say more. Upstream: container/cache.go
import type {RuntimePodStatus} from '../runtime/runtime-pod.ts'

/** The status, or why there is none. */
export type CachedStatus = {readonly status: RuntimePodStatus} | {readonly error: unknown}

export interface PodCache {
  get(uid: string): CachedStatus
  set(uid: string, cached: CachedStatus, at: number): void
  delete(uid: string): void
  /** The pod has been looked at and was as it was before. */
  setObservedTime(uid: string, at: number): void
  /** All of the cache is at least as new as this. */
  updateTime(at: number): void
  /** Waits until the pod's entry, or the whole cache, is newer than `than`. */
  getNewerThan(uid: string, than: number): Promise<CachedStatus>
}

export function podCache(): PodCache {
  const pods = new Map<string, {readonly cached: CachedStatus; readonly modified: number}>()
  const subscribers = new Map<string, {readonly than: number; readonly answer: (cached: CachedStatus) => void}[]>()
  /** Before the first relist nothing is known, which is not the same as knowing that there is nothing. */
  let timestamp = Number.NEGATIVE_INFINITY

  const get = (uid: string): CachedStatus =>
    pods.get(uid)?.cached ?? {status: {uid, namespace: '', name: '', sandboxes: [], containers: []}}

  const notify = (uid: string, at: number): void => {
    const waiting = subscribers.get(uid)
    if (waiting === undefined) return
    const kept = waiting.filter(({than}) => at < than)
    if (kept.length === 0) subscribers.delete(uid)
    else subscribers.set(uid, kept)
    for (const {than, answer} of waiting) if (at >= than) answer(get(uid))
  }

  return {
    get,
    set: (uid, cached, at) => {
      pods.set(uid, {cached, modified: at})
      notify(uid, at)
    },
    // Nobody is told: the time of the whole cache follows at the end of the relist.
    delete: (uid) => void pods.delete(uid),
    setObservedTime: (uid, at) => {
      const known = pods.get(uid)
      if (known !== undefined) pods.set(uid, {...known, modified: at})
      notify(uid, at)
    },
    updateTime: (at) => {
      timestamp = at
      for (const uid of [...subscribers.keys()]) notify(uid, at)
    },
    getNewerThan: (uid, than) => {
      if (timestamp > than || (pods.get(uid)?.modified ?? Number.NEGATIVE_INFINITY) > than) return Promise.resolve(get(uid))
      return new Promise((answer) => {
        const waiting = subscribers.get(uid)
        if (waiting === undefined) subscribers.set(uid, [{than, answer}])
        else waiting.push({than, answer})
      })
    },
  }
}
