// Waiting that a rule asks for. When the faults are over before it is, a delayed call goes on at once, and one that would hang for ever has failed.
import {onAbort} from '../../../base/on-abort.ts'
import type {Taken} from '../taken.ts'

/** @throws the signal's reason when the client leaves */
export async function delayed(ms: number, {clock, client, healed}: Pick<Taken, 'clock' | 'client' | 'healed'>): Promise<void> {
  if (healed.aborted) return
  const sleeper = new AbortController()
  const wake = () => sleeper.abort(client.signal.reason)
  const stops = [onAbort(healed, wake), onAbort(client.signal, wake)]
  try {
    await clock.sleep(ms, sleeper.signal)
  } catch (error) {
    if (client.signal.aborted || !healed.aborted) throw error
  } finally {
    for (const stop of stops) stop()
  }
}

/** Until the client gives up. UNAVAILABLE, as nobody says then whether the server has done it: a kubelet takes it for uncertain. */
export async function hang({client, call, healed}: Pick<Taken, 'client' | 'call' | 'healed'>): Promise<void> {
  const over = Promise.withResolvers<void>()
  const fail = () => {
    if (!client.isOver) client.fail(call.head.fields, {code: 'UNAVAILABLE', message: 'the fault is over'})
    over.resolve()
  }
  const stop = onAbort(healed, fail)
  if (healed.aborted) fail()
  await Promise.race([client.left, over.promise])
  stop()
}
