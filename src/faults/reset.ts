// The server does it, then the connection breaks.
import type {Fault} from './fault.ts'

export const reset = (): Fault => ({
  kind: 'reset',
  plan: {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'reset'}},
})
