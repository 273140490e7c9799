// The server never hears of the call; the caller is told that it is done.
import type {Fault} from './fault.ts'

/** @param response what the caller gets; calls that are made for their effect alone read nothing of it */
export const fakeSuccess = (response: unknown = {}): Fault => ({
  kind: 'fake-success',
  plan: {before: 0, forward: 0, upstreamDeadline: 'keep', reply: {kind: 'replace', with: {response}}},
})

/** The answer that the server would have given, had it done it: of calls whose answer is what they were to bring about, such as PATCH pod/status. */
export const asIfDone = (): Fault => ({
  kind: 'fake-success',
  plan: {before: 0, forward: 0, upstreamDeadline: 'keep', reply: {kind: 'replace', with: {asIfDone: true}}},
})
