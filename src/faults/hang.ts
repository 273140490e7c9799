// The server never hears of the call, and the caller hears nothing.
import type {Fault} from './fault.ts'

export const hang = (): Fault => ({
  kind: 'hang',
  plan: {before: Number.POSITIVE_INFINITY, forward: 0, upstreamDeadline: 'keep', reply: {kind: 'hold', ms: Number.POSITIVE_INFINITY}},
})
