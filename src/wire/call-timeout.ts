// How long the client of a call waits for it, for handlers: `context.values.get(callTimeout)`.
// connect is not told, as it would set a timer of its own, and here time may be simulated.
import {type ContextValues, createContextKey, createContextValues} from '@connectrpc/connect'

/** In milliseconds from the call's start; undefined when the client set no deadline. */
export const callTimeout = createContextKey<number | undefined>(undefined, {description: 'how long the client waits, in ms'})

export function contextWithTimeout(ms: number | undefined): ContextValues {
  return createContextValues().set(callTimeout, ms)
}
