// Which pods are due for a sync, and when. Upstream: util/queue/work_queue.go
import type {Clock} from '../../base/clock.ts'

export interface WorkQueue {
  /** Another time for the same pod replaces the first. */
  enqueue(uid: string, delayMs: number): void
  /** Those that are due; they leave the queue. */
  getWork(): ReadonlySet<string>
}

export function workQueue(clock: Clock): WorkQueue {
  const queue = new Map<string, number>()
  return {
    enqueue: (uid, delayMs) => void queue.set(uid, clock.now() + delayMs),
    getWork: () => {
      const now = clock.now()
      const due = new Set<string>()
      for (const [uid, at] of queue) if (at < now) due.add(uid)
      for (const uid of due) queue.delete(uid)
      return due
    },
  }
}
