// A runtime that could not be reached: who named its socket, and what became of it.
import {parseDuration} from '../../base/duration.ts'
import type {FailureKind, RpcCode} from '../../wire/rpc-failure.ts'
import type {Probed} from '../endpoints/candidate.ts'
import {absent, failed, type Reading, read} from '../reading.ts'
import type {CallOutcome, RuntimeAnswers, RuntimeCall} from './answers.ts'

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
    calls: callsOfProbe(outcome.kind, outcome.why),
    conditions: [],
  })
}

/** A probe ends with its first failure: it connects, and then asks for the version. */
function callsOfProbe(kind: FailureKind, why: string): RuntimeCall[] {
  const outcome = outcomeOfProbe(kind, why)
  const afterwards = kind === 'no-service' || kind === 'answered' || /\bVersion\b/.test(why)
  return afterwards
    ? [
        {method: 'connect', outcome: {state: 'answered'}},
        {method: 'Version', outcome},
      ]
    : [{method: 'connect', outcome}]
}

/** It has the reason only, not the code. */
function outcomeOfProbe(kind: FailureKind, why: string): CallOutcome {
  const waitedMs = kind === 'silent' ? waitedInWords(why) : undefined
  if (waitedMs !== undefined) return {state: 'silent', waitedMs}
  const code: RpcCode =
    kind === 'no-service' ? 'UNIMPLEMENTED' : kind === 'silent' ? 'DEADLINE_EXCEEDED' : kind === 'answered' ? 'UNKNOWN' : 'UNAVAILABLE'
  return {state: 'failed', kind, code, why}
}

/** '… for 6s': so it ends (wire/channel.ts, wire/session.ts). */
function waitedInWords(why: string): number | undefined {
  const duration = / for (\d+(?:ms|s|m|h|d)(?: \d+(?:s|m|h))?)$/.exec(why)?.[1]
  return duration === undefined ? undefined : parseDuration(duration.replace(' ', ''), 'an answer')
}
