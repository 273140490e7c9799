// The kubelet's one loop: takes from whichever channel has something, one thing at a time. Upstream: kubelet.go, syncLoop
import type {Clock} from '../base/clock.ts'
import type {Dice} from '../base/dice.ts'
import {type Channel, select} from './channel.ts'
import type {KubeletPorts} from './ports.ts'

/** A channel and what to do with what comes out of it. */
export interface Source {
  readonly channel: Channel<unknown>
  readonly handle: () => void | Promise<void>
}

export function source<T>(channel: Channel<T>, handle: (item: T) => void | Promise<void>): Source {
  return {
    channel,
    handle: () => {
      const item = channel.tryReceive()
      return item === undefined ? undefined : handle(item)
    },
  }
}

export interface SyncLoopOptions {
  readonly clock: Clock
  /** Choose among channels that all have something. */
  readonly dice: Dice
  readonly signal: AbortSignal
  readonly sources: readonly Source[]
  /** Why nothing is to be done now. */
  readonly unhealthy: () => string | undefined
  /** A turn begins or ends. Upstream: syncLoopMonitor */
  readonly entered: () => void
  readonly log: KubeletPorts['log']
}

const base = 100
const max = 5000

export async function syncLoop({clock, dice, signal, sources, unhealthy, entered, log}: SyncLoopOptions): Promise<void> {
  const byChannel = new Map(sources.map((each) => [each.channel, each]))
  let wait = base
  for (;;) {
    const reason = unhealthy()
    if (reason !== undefined) {
      log({text: `skipping pod synchronization - ${reason}`})
      await clock.sleep(wait, signal)
      wait = Math.min(max, 2 * wait)
      continue
    }
    wait = base
    entered()
    const chosen = await select([...byChannel.keys()], dice, signal)
    await byChannel.get(chosen)?.handle()
    entered()
  }
}
