// What is worth making only once for a thing that does not change, such as an index over a snapshot.

/** `make` with its result kept as long as the key lives. `make` must be pure, and the key must not change. */
export function oncePer<K extends WeakKey, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, {readonly value: V}>()
  return (key) => {
    const kept = made.get(key)
    if (kept !== undefined) return kept.value
    const value = make(key)
    made.set(key, {value})
    return value
  }
}
