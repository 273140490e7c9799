// A server's stream ends before its time.
import type {Fault} from './fault.ts'

/**
 * @param after so many messages
 * @param code absent: as if all were said
 */
export const streamCut = (after: number, code?: string): Fault => ({
  kind: 'stream-cut',
  plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'cut', after, ...(code === undefined ? {} : {code})}},
})
