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

export function answerOf({kind, message: why}: RpcFailure): NotThere {
  return {state: states[kind], why}
}
