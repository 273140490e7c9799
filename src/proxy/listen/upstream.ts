// Whom the proxy stands before: whether somebody is there, as far as anybody has asked.
import type {Socket} from 'node:net'
import type {Clock} from '../../base/clock.ts'
import {type Absence, absenceOf, dial} from './dial.ts'
import type {ProxyAddress} from './proxy-address.ts'

export interface Upstream extends Disposable {
  /** As of the last dial. */
  readonly absence: Absence | undefined
  /** @throws the error of connect(2) */
  dial(signal: AbortSignal): Promise<Socket>
}

export interface UpstreamOptions {
  readonly address: ProxyAddress
  readonly clock: Clock
  /** It went, came back, or is away in another way. */
  readonly onChange: () => void
}

const lookEvery = 50

export function upstreamAt({address, clock, onChange}: UpstreamOptions): Upstream {
  const controller = new AbortController()
  let absence: Absence | undefined
  const is = (next: Absence | undefined) => {
    if (next === absence) return
    absence = next
    onChange()
  }
  /** Nobody asks while nobody can connect to us, so we do. It costs a server one connection, when it is back. */
  const waitForIt = async () => {
    while (absence !== undefined) {
      await clock.sleep(lookEvery, controller.signal)
      try {
        const socket = await dial(address, controller.signal)
        socket.destroy()
        is(undefined)
      } catch (error) {
        // With another error it is there in some way: clients shall see in which.
        is(absenceOf(error))
      }
    }
  }
  return {
    get absence() {
      return absence
    },
    dial: async (signal) => {
      try {
        return await dial(address, signal)
      } catch (error) {
        const waits = absence !== undefined
        const seen = absenceOf(error)
        if (seen !== undefined && !controller.signal.aborted) {
          is(seen)
          if (!waits) waitForIt().catch(() => undefined)
        }
        throw error
      }
    },
    [Symbol.dispose]: () => controller.abort(),
  }
}
