// The server does it, then the call's stream breaks, or the whole connection.
import type {Fault} from './fault.ts'

export const dropReply = (scope: 'stream' | 'connection' = 'stream'): Fault => ({
  kind: 'drop-reply',
  plan: {before: 0, forward: 1, upstreamDeadline: 'strip', reply: scope === 'connection' ? {kind: 'reset'} : {kind: 'reset', scope}},
})
