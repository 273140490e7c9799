// A map that lets go of what was used longest ago.

export interface BoundedMap<K, V> {
  /** It counts as a use. */
  get(key: K): V | undefined
  has(key: K): boolean
  set(key: K, value: V): void
  delete(key: K): void
  readonly size: number
}

export interface Bounds<V> {
  readonly most: number
  /** Of all values together; a value that is heavier is not kept at all. */
  readonly mostWeight?: number
  readonly weigh?: (value: V) => number
}

export function boundedMap<K, V>({most, mostWeight = Number.POSITIVE_INFINITY, weigh = () => 0}: Bounds<V>): BoundedMap<K, V> {
  // A Map goes in the order of insertion: the first is what was used longest ago.
  const values = new Map<K, V>()
  let weight = 0
  const remove = (key: K) => {
    const value = values.get(key)
    if (value === undefined) return
    weight -= weigh(value)
    values.delete(key)
  }
  return {
    get: (key) => {
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      values.set(key, value)
      return value
    },
    has: (key) => values.has(key),
    set: (key, value) => {
      remove(key)
      if (weigh(value) > mostWeight) return
      values.set(key, value)
      weight += weigh(value)
      while (values.size > most || weight > mostWeight) {
        const oldest = values.keys().next()
        if (oldest.done) break
        remove(oldest.value)
      }
    },
    delete: remove,
    get size() {
      return values.size
    },
  }
}
