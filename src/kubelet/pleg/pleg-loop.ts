// Relists once a second, and single pods in between when somebody asks for it. Upstream: pleg/generic.go, workerLoopIteration
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import {Channel, select} from '../channel.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import type {Pleg} from './pleg.ts'

export interface PlegLoopOptions {
  readonly profile: Profile
  readonly clock: Clock
  readonly dice: Dice
  readonly pleg: Pleg
  readonly log: KubeletPorts['log']
  readonly signal: AbortSignal
  readonly spawn: (work: Promise<unknown>) => void
}

const relistPeriod = 1000
const requestCapacity = 200

/** @returns what asks for a look at one pod */
export function startPlegLoop({profile, clock, dice, pleg, log, signal, spawn}: PlegLoopOptions): (uid: string) => void {
  const requests = new Channel<{readonly uid: string; readonly at: number}>(requestCapacity)
  const due = new Channel<true>(1)

  const serve = async ({uid, at}: {uid: string; at: number}): Promise<void> => {
    // A relist of all since then has seen it.
    if (at <= (pleg.relistedAt() ?? 0)) return
    await pleg.relistPod(uid).catch((error) => {
      signal.throwIfAborted()
      log({text: 'GenericPLEG: Unable to retrieve pod', fields: {err: String(error)}})
    })
  }

  const run = async (): Promise<void> => {
    for (;;) {
      await pleg.relist()
      // Counted from the end of the relist.
      spawn(clock.sleep(relistPeriod, signal).then(() => due.trySend(true)))
      while (due.length === 0) {
        await select([due, requests], dice, signal)
        if (due.length > 0) break
        const request = requests.tryReceive()
        if (request !== undefined) await serve(request)
      }
      due.tryReceive()
    }
  }
  spawn(run())
  if (!profile.switches.has('relist-on-demand')) return () => undefined
  return (uid) => {
    if (!requests.trySend({uid, at: clock.now()})) log({text: 'Relist request channel full; dropping relist request'})
  }
}
