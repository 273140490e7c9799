// The two loops of the volume manager, ten times a second each. On a node without volumes they stand still. Upstream: volume_manager.go, Run
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import type {Populator} from './populator.ts'
import type {Reconciler} from './reconciler.ts'
import type {Reconstruction} from './reconstruct-volumes.ts'

export interface VolumeLoopsOptions {
  readonly clock: Clock
  readonly dice: Dice
  readonly populate: Populator
  readonly reconcile: Reconciler
  readonly reconstruction: Reconstruction
  readonly sourcesReady: () => boolean
  /** Nothing is there, and nothing is to be. */
  readonly isIdle: () => boolean
  /** An earlier kubelet left something. */
  readonly hasLeftovers: () => Promise<boolean>
  readonly signal: AbortSignal
  readonly spawn: (work: Promise<unknown>) => void
}

const period = 100

export function volumeLoops(options: VolumeLoopsOptions): {wake(): void} {
  const {clock, populate, reconcile, reconstruction, sourcesReady, isIdle, hasLeftovers, signal, spawn} = options
  const dice = options.dice.of('volumes')
  const parked = new Set<() => void>()
  /** All pods that were there at the start have been looked at once. */
  let populated = false
  let leftovers = false

  const park = async (): Promise<void> => {
    const since = clock.now()
    await new Promise<void>((resolve) => parked.add(resolve))
    signal.throwIfAborted()
    // It would have gone on ticking.
    await clock.sleep(period - ((clock.now() - since) % period), signal)
  }

  const every = async (step: () => Promise<void>): Promise<void> => {
    for (;;) {
      if (isIdle() && !(leftovers && !reconstruction.isOver())) await park()
      else {
        await step()
        await clock.sleep(period, signal)
      }
    }
  }

  const round = async (): Promise<void> => {
    const mayUnmount = reconstruction.mayUnmount(populated)
    if (mayUnmount) await reconcile.unmountVolumes()
    await reconcile.mountOrAttachVolumes()
    if (mayUnmount) await reconcile.unmountDetachDevices()
    await reconstruction.afterRound(populated)
  }

  const run = async (): Promise<void> => {
    leftovers = await hasLeftovers()
    if (leftovers) await reconstruction.atStart()
    spawn(
      every(async () => {
        const ready = sourcesReady()
        await populate.loop(populated)
        populated ||= ready
      }),
    )
    // The two do not tick together.
    await clock.sleep(dice.roll(period), signal)
    spawn(every(round))
  }
  spawn(run())

  return {
    wake: () => {
      for (const resolve of parked) resolve()
      parked.clear()
    },
  }
}
