// The server does it, however long it takes, and the caller never hears.
import type {Fault} from './fault.ts'

export const loseReply = (): Fault => ({
  kind: 'lose-reply',
  plan: {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'hold', ms: Number.POSITIVE_INFINITY}},
})
