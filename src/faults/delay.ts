// The server hears of the call later. A caller that gives up meanwhile takes it back: then it is never heard.
import type {Fault} from './fault.ts'

export const delay = (ms: number): Fault => ({
  kind: 'delay',
  plan: {before: ms, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'pass'}},
})
