// Why a container could not start, of the last thousand that could not. Upstream: reason_cache.go

export interface StartFailure {
  readonly reason: string
  readonly message: string
}

export interface SyncResult {
  /** Only 'StartContainer' changes the cache. */
  readonly action: string
  readonly container: string
  readonly error?: StartFailure
}

export interface ReasonCache {
  get(uid: string, container: string): StartFailure | undefined
  update(uid: string, results: readonly SyncResult[]): void
}

const maxEntries = 1000

export function reasonCache(): ReasonCache {
  // The one longest unused first.
  const items = new Map<string, StartFailure>()
  const put = (key: string, item: StartFailure) => {
    items.delete(key)
    items.set(key, item)
    if (items.size <= maxEntries) return
    for (const oldest of items.keys()) return void items.delete(oldest)
  }
  return {
    // One that is read at each status never ages.
    get: (uid, container) => {
      const key = `${uid}_${container}`
      const item = items.get(key)
      if (item !== undefined) put(key, item)
      return item
    },
    update: (uid, results) => {
      for (const {action, container, error} of results) {
        if (action !== 'StartContainer') continue
        const key = `${uid}_${container}`
        if (error) put(key, error)
        else items.delete(key)
      }
    },
  }
}
