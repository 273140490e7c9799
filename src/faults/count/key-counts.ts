// The counts of a rule for each value of its `per`. Never changed in place, and cheap to have changed: a map of all keys would be copied for each call.

export interface Counts {
  readonly seen: number
  readonly taken: number
}

/** By a hash of the key; within one, in the order in which the keys were last seen. */
export type KeyCounts = readonly (ReadonlyMap<string, Counts> | undefined)[]

const buckets = 256
/** 16384 keys in all: of more, those that were not seen for the longest time start from nothing again. */
const mostInBucket = 64

const nothing: Counts = {seen: 0, taken: 0}

export const noKeys: KeyCounts = []

export const countsOf = (all: KeyCounts, key: string): Counts => all[bucketOf(key)]?.get(key) ?? nothing

export function withCounts(all: KeyCounts, key: string, counts: Counts): KeyCounts {
  const index = bucketOf(key)
  const bucket = new Map(all[index])
  bucket.delete(key)
  bucket.set(key, counts)
  if (bucket.size > mostInBucket) for (const oldest of bucket.keys()) if (bucket.delete(oldest)) break
  const changed = [...(all.length === 0 ? Array<undefined>(buckets).fill(undefined) : all)]
  changed[index] = bucket
  return changed
}

/** FNV-1a, of which the upper bits are mixed best. */
function bucketOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  return (hash >>> 16) % buckets
}
