// The server does it, and the caller has an error.
import type {Fault} from './fault.ts'
import type {StatusDetail} from './plan.ts'

export const execThenError = (code: string, message = 'injected', details?: readonly StatusDetail[]): Fault => ({
  kind: 'exec-then-error',
  plan: {
    before: 0,
    forward: 1,
    upstreamDeadline: 'strip',
    reply: {kind: 'replace', with: {code, message, ...(details === undefined ? {} : {details})}},
  },
})
