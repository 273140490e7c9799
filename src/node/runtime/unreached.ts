// A runtime that could not be reached: who named its socket, and what became of it.
import type {RpcCode} from '../../wire/rpc-failure.ts'
import type {Probed} from '../endpoints/candidate.ts'
import {absent, failed, type Reading, read} from '../reading.ts'
import type {CallOutcome, RuntimeAnswers} from './answers.ts'

/** @param why for what is no answer of a runtime: several that could be meant, or a socket that we may not open. */
export function answersOfNone(candidates: readonly Probed[], why: string): Reading<RuntimeAnswers> {
  const rejected = candidates.filter(({guess, outcome}) => outcome.state === 'rejected' && !(guess === true && outcome.kind === 'missing'))
  const [only, ...more] = rejected.some(({tier}) => tier !== 'usual') ? rejected.filter(({tier}) => tier !== 'usual') : rejected
  if (only === undefined) return absent('no container runtime is to be seen here')
  const {outcome, endpoint, source, tier} = only
  if (more.length > 0 || outcome.state !== 'rejected' || outcome.kind === undefined) return failed(why)
  if (outcome.kind === 'forbidden') return failed(why, undefined, 'denied')
  return read({
    endpoint,
    source,
    told: tier !== 'usual',
    calls: [{method: 'connect', outcome: outcomeOfProbe(outcome.kind, outcome.why)}],
    conditions: [],
  })
}

/** A probe has the reason only, not the code; silence is told with its time in the reason. */
function outcomeOfProbe(kind: Extract<CallOutcome, {state: 'failed'}>['kind'], why: string): CallOutcome {
  const code: RpcCode = kind === 'no-service' ? 'UNIMPLEMENTED' : kind === 'silent' ? 'DEADLINE_EXCEEDED' : 'UNAVAILABLE'
  return {state: 'failed', kind, code, why}
}
