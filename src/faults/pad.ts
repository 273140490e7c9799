// The answer is larger than the server's: clients have a limit, 4 MiB or 16 MiB most of them.
import type {Fault} from './fault.ts'

/** @param bytes of the whole message, at least */
export const pad = (bytes: number): Fault => ({
  kind: 'pad',
  plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'edit', edits: [{kind: 'pad', bytes}]}},
})
