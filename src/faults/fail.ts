// The server never hears of the call; the caller has an error at once.
import type {Fault} from './fault.ts'
import type {StatusDetail} from './plan.ts'

export const fail = (code: string, message = 'injected', details?: readonly StatusDetail[]): Fault => ({
  kind: 'fail',
  plan: {
    before: 0,
    forward: 0,
    upstreamDeadline: 'keep',
    reply: {kind: 'replace', with: {code, message, ...(details === undefined ? {} : {details})}},
  },
})
