// The deadlines of calls. Calls of one length end in the order in which they began, so one sleeper stands for all of them, and a call that ends
// in time has cost nothing.
import type {Clock} from '../../base/clock.ts'

export interface Expiring {
  readonly open: boolean
  expire(): void
}

export interface Deadlines {
  add(ms: number, call: Expiring): void
}

export function deadlines(clock: Clock): Deadlines {
  const queues = new Map<number, Queue>()
  return {
    add: (ms, call) => {
      if (ms === Number.POSITIVE_INFINITY) return
      let queue = queues.get(ms)
      if (queue === undefined) {
        queue = {entries: [], head: 0, awake: false}
        queues.set(ms, queue)
      }
      queue.entries.push({at: clock.now() + ms, call})
      if (!queue.awake) void watch(queue, clock).then(() => queues.delete(ms))
    },
  }
}

interface Queue {
  entries: {readonly at: number; readonly call: Expiring}[]
  head: number
  awake: boolean
}

async function watch(queue: Queue, clock: Clock): Promise<void> {
  queue.awake = true
  for (;;) {
    const first = queue.entries[queue.head]
    if (first === undefined) break
    if (first.call.open && first.at > clock.now()) {
      await clock.sleep(first.at - clock.now())
      continue
    }
    queue.head++
    if (first.call.open) first.call.expire()
    if (queue.head > 1000 && queue.head * 2 > queue.entries.length) {
      queue.entries = queue.entries.slice(queue.head)
      queue.head = 0
    }
  }
  queue.entries = []
  queue.head = 0
  queue.awake = false
}
