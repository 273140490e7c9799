// Calls that leave for servers of their own at one moment arrive in the order in which they left: on the wire nobody else would see to it.
import type {Methods, Port} from '../../kubelet/port.ts'

export interface Turnstile {
  /** At the client: a call waits until the one before it has arrived. */
  leaving<M extends Methods>(port: Port<M>): Port<M>
  /** At the server. */
  arriving<M extends Methods>(port: Port<M>): Port<M>
}

export function turnstile(): Turnstile {
  let last: Promise<void> = Promise.resolve()
  let arrive: (() => void) | undefined
  return {
    leaving: (port) => ({
      call: async (method, request, options) => {
        const before = last
        const {promise, resolve} = Promise.withResolvers<void>()
        last = promise
        await before
        arrive = resolve
        try {
          return await port.call(method, request, options)
        } finally {
          // One that came to its end without arriving, or that was answered on the way.
          resolve()
        }
      },
    }),
    arriving: (port) => ({
      call: (method, request, options) => {
        arrive?.()
        return port.call(method, request, options)
      },
    }),
  }
}
