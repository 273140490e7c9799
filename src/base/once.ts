// A pure function of an object, worked out once for each object: several detectors ask the same of one snapshot.

export function once<Key extends object, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, {readonly value: Value}>()
  return (key) => {
    const there = known.get(key) ?? {value: work(key)}
    known.set(key, there)
    return there.value
  }
}
