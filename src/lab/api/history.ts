// What was written of one kind, in order: for watchers that come later and say from where on. Only so much is kept.
import type {JsonObject} from './json.ts'

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly revision: number
  readonly document: () => JsonObject
  /** As it was before; undefined: there was none. */
  readonly before: () => JsonObject | undefined
}

export interface History {
  push(change: Change): void
  /** Undefined: some of it is forgotten. */
  since(revision: number): readonly Change[] | undefined
  /** What a watcher may still begin after. */
  oldest(): number
  subscribe(listener: (change: Change) => void): () => void
}

export function history(kept = 10_000): History {
  let changes: Change[] = []
  let forgotten = 0
  const listeners = new Set<(change: Change) => void>()
  // Who hears of a change may make the next one: all hear of them in their order.
  const untold: Change[] = []
  return {
    push: (change) => {
      changes.push(change)
      // Twice as many at most, so that forgetting costs nothing for each.
      if (changes.length >= 2 * kept) {
        forgotten = changes.at(-kept - 1)?.revision ?? forgotten
        changes = changes.slice(-kept)
      }
      if (untold.push(change) > 1) return
      for (let next = untold[0]; next !== undefined; next = untold[0]) {
        for (const listener of [...listeners]) listener(next)
        untold.shift()
      }
    },
    since: (revision) => {
      if (revision < forgotten) return undefined
      const first = changes.findIndex((change) => change.revision > revision)
      return first === -1 ? [] : changes.slice(first)
    },
    oldest: () => forgotten,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
