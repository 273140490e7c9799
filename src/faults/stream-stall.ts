// A server's stream stays open, and nothing more comes.
import type {Fault} from './fault.ts'

/** @param after so many messages */
export const streamStall = (after: number): Fault => ({
  kind: 'stream-stall',
  plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'stall', after}},
})
