// The last calls of a proxy, and those that come, for whoever looks.
import type {TracedCall} from '../call/traced-call.ts'

export interface CallRing {
  add(call: TracedCall): void
  /** Those that are kept, oldest first. */
  kept(): readonly TracedCall[]
  /** @returns what ends it */
  listen(listener: (call: TracedCall) => void): () => void
}

export function callRing(size: number): CallRing {
  const calls: TracedCall[] = []
  let next = 0
  const listeners = new Set<(call: TracedCall) => void>()
  return {
    add: (call) => {
      calls[next] = call
      next = (next + 1) % size
      for (const listener of listeners) listener(call)
    },
    kept: () => (calls.length < size ? [...calls] : [...calls.slice(next), ...calls.slice(0, next)]),
    listen: (listener) => {
      const own = (call: TracedCall) => listener(call)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
