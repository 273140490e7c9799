// The server never hears of the call; the caller has the answer that it would have given, had it done it.
import type {Fault} from './fault.ts'

/** For calls whose answer is what they were to bring about, such as PATCH pod/status. */
export const asIfDone = (): Fault => ({
  kind: 'fake-success',
  plan: {before: 0, forward: 0, upstreamDeadline: 'keep', reply: {kind: 'replace', with: {asIfDone: true}}},
})
