// How changes get to watchers: in order, some milliseconds after they were made. A new watcher hears of all that is there, as ADDED, and then of what
// changes from then on.
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import {onAbort} from '../../base/on-abort.ts'
import type {Pod} from '../../kubelet/pod.ts'
import type {PodEvent} from '../../kubelet/ports.ts'

export interface PodWatch {
  changed(event: PodEvent): void
  /** @param onListed when it has heard of all that is there */
  watch(onEvent: (event: PodEvent) => void, pods: readonly Pod[], signal: AbortSignal, onListed?: () => void): void
}

export function podWatch(clock: Clock, dice: Dice): PodWatch {
  const watchers = new Set<(event: PodEvent) => void>()
  // In the order in which they happened: one that would be quicker waits for those before it.
  let waiting: {readonly at: number; readonly deliver: () => void}[] = []
  let delivering = false

  const later = (deliver: () => void) => {
    waiting.push({at: clock.now() + 1 + dice.roll(5), deliver})
    if (!delivering) void run()
  }
  const run = async () => {
    delivering = true
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      await clock.sleep(first.at - clock.now())
      const now = clock.now()
      const due = waiting.findIndex(({at}) => at > now)
      const [ready, rest] = due === -1 ? [waiting, []] : [waiting.slice(0, due), waiting.slice(due)]
      waiting = rest
      for (const {deliver} of ready) deliver()
    }
    delivering = false
  }
  return {
    changed: (event) =>
      later(() => {
        for (const watcher of watchers) watcher(event)
      }),
    watch: (onEvent, pods, signal, onListed) => {
      if (signal.aborted) return
      let open = true
      const watcher = (event: PodEvent) => open && onEvent(event)
      later(() => {
        for (const pod of pods) watcher({type: 'ADDED', pod})
        if (open) onListed?.()
        // What changed before the list is delivered by now, what changed after it is not: the order tells them apart.
        if (open) watchers.add(watcher)
      })
      onAbort(signal, () => {
        open = false
        watchers.delete(watcher)
      })
    },
  }
}
