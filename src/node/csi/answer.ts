// A call that failed, as an answer of its socket.
import type {FailureKind, RpcFailure} from '../../wire/rpc-failure.ts'
import type {NotThere} from './look-at-socket.ts'

const states: Readonly<Record<FailureKind, NotThere['state']>> = {
  missing: 'missing',
  refused: 'refused',
  forbidden: 'denied',
  'not-a-socket': 'not-socket',
  silent: 'silent',
  'not-grpc': 'not-grpc',
  'no-service': 'other-service',
  'too-large': 'failed',
  lost: 'failed',
  answered: 'failed',
}

/** @param waitedMs how long it was waited for, should it have been silent. */
export function answerOf({kind, message: why}: RpcFailure, waitedMs: number): NotThere {
  const state = states[kind]
  return state === 'silent' ? {state, why, waitedMs} : {state, why}
}
