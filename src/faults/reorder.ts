// The answer waits until the next call of the rule has been answered: two answers change places.
import type {Fault} from './fault.ts'

export const reorder = (): Fault => ({
  kind: 'reorder',
  plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'swap'}},
})
