// The server does it, and its answer is kept back for a while.
import type {Fault} from './fault.ts'

export const hold = (ms: number): Fault => ({
  kind: 'hold',
  plan: {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'hold', ms}},
})
