// The server gets it twice at once; the caller has the first answer.
import type {Fault} from './fault.ts'

export const duplicate = (): Fault => ({
  kind: 'duplicate',
  plan: {before: 0, forward: 2, upstreamDeadline: 'keep', reply: {kind: 'pass'}},
})
