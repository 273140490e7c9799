// The server never hears of the call; the caller has an error at once.
import type {Fault} from './fault.ts'

export const fail = (code: string, message = 'injected'): Fault => ({
  kind: 'fail',
  plan: {before: 0, forward: 0, upstreamDeadline: 'keep', reply: {kind: 'replace', with: {code, message}}},
})
