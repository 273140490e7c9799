// All that can be done to a call or to a socket, for those who read faults from a file or from flags.
import {UserError} from '../base/errors.ts'
import {nearest} from '../base/nearest.ts'
import {acceptSilent} from './accept-silent.ts'
import {delay} from './delay.ts'
import {dropReply} from './drop-reply.ts'
import {duplicate} from './duplicate.ts'
import {execThenError} from './exec-then-error.ts'
import {fail} from './fail.ts'
import {fakeSuccess} from './fake-success.ts'
import type {Fault} from './fault.ts'
import {hang} from './hang.ts'
import {hold} from './hold.ts'
import {type ListChanges, listEdit, staleList} from './list-edit.ts'
import {loseReply} from './lose-reply.ts'
import {noSocket} from './no-socket.ts'
import {pad} from './pad.ts'
import type {StatusDetail} from './plan.ts'
import {refuse} from './refuse.ts'
import {registerLost} from './register-lost.ts'
import {reorder} from './reorder.ts'
import {reset} from './reset.ts'
import {type NewValues, rewrite} from './rewrite.ts'
import {streamCut} from './stream-cut.ts'
import {streamStall} from './stream-stall.ts'
import {throttle} from './throttle.ts'

export interface FaultParameters extends ListChanges {
  readonly ms?: number
  readonly code?: string
  readonly message?: string
  readonly details?: readonly StatusDetail[]
  /** Of fake-success the answer, of rewrite the new values of fields. */
  readonly response?: unknown
  readonly request?: NewValues
  readonly reply?: NewValues
  readonly scope?: 'stream' | 'connection'
  readonly before?: number
  /** Of delay milliseconds, of streams messages. */
  readonly after?: number
  readonly jitter?: number
  readonly bytesPerSecond?: number
  readonly bytes?: number
  readonly list?: string
  readonly stale?: true
}

export interface FaultKind {
  readonly kind: string
  /** The name that scenarios have for it; both are taken everywhere else. */
  readonly also?: string
  /** A name that scenarios have for one case of another kind; it is taken everywhere else, too. */
  readonly caseOf?: string
  readonly needs: readonly (keyof FaultParameters)[]
  readonly may: readonly (keyof FaultParameters)[]
  /** Of these one at least. */
  readonly oneOf?: readonly (keyof FaultParameters)[]
  readonly build: (parameters: FaultParameters) => Fault
}

const zero = (value: number | undefined): number => value ?? 0
const code = (parameters: FaultParameters): string => parameters.code ?? 'UNKNOWN'

export const faults: readonly FaultKind[] = [
  {kind: 'refuse', needs: [], may: [], build: refuse},
  {kind: 'no-socket', needs: [], may: [], build: noSocket},
  {kind: 'accept-silent', needs: [], may: [], build: acceptSilent},
  {kind: 'hang-call', also: 'hang', needs: [], may: [], build: hang},
  {kind: 'hang-after-exec', also: 'lose-reply', needs: [], may: [], build: loseReply},
  {kind: 'drop-reply', needs: [], may: ['scope'], build: ({scope}) => dropReply(scope)},
  {kind: 'reset', caseOf: 'drop-reply', needs: [], may: [], build: reset},
  {
    kind: 'exec-then-error',
    needs: ['code'],
    may: ['message', 'details'],
    build: (given) => execThenError(code(given), given.message, given.details),
  },
  {
    kind: 'error',
    also: 'fail',
    needs: ['code'],
    may: ['message', 'details'],
    build: (given) => fail(code(given), given.message, given.details),
  },
  {kind: 'fake-success', needs: [], may: ['response'], build: ({response}) => fakeSuccess(response)},
  {
    kind: 'delay',
    needs: [],
    may: ['jitter'],
    oneOf: ['before', 'after', 'ms'],
    build: ({ms, before = zero(ms), after, jitter}) => delay(before, after, jitter),
  },
  {kind: 'hold', caseOf: 'delay', needs: ['ms'], may: [], build: ({ms}) => hold(zero(ms))},
  {kind: 'throttle', needs: ['bytesPerSecond'], may: [], build: ({bytesPerSecond}) => throttle(zero(bytesPerSecond))},
  {kind: 'duplicate', needs: [], may: [], build: duplicate},
  {kind: 'reorder', needs: [], may: [], build: reorder},
  {kind: 'rewrite', needs: [], may: [], oneOf: ['request', 'reply'], build: rewrite},
  {
    kind: 'list-edit',
    needs: [],
    may: ['list'],
    oneOf: ['drop', 'duplicate', 'phantom', 'stale'],
    build: ({stale, list = '', ...changes}) => (stale === true ? staleList() : listEdit(list, changes)),
  },
  {kind: 'pad', needs: ['bytes'], may: [], build: ({bytes}) => pad(zero(bytes))},
  {kind: 'stream-cut', needs: ['after'], may: ['code'], build: (given) => streamCut(zero(given.after), given.code)},
  {kind: 'stream-stall', needs: ['after'], may: [], build: ({after}) => streamStall(zero(after))},
  {kind: 'register-lost', needs: [], may: [], build: registerLost},
]

/** One name for each. */
export const publicKinds: readonly string[] = faults.flatMap(({kind, caseOf}) => (caseOf === undefined ? [kind] : []))

/** All names that a fault may be asked for by. */
export const faultNames: readonly string[] = faults.flatMap(({kind, also}) => (also === undefined ? [kind] : [kind, also]))

export const kindNamed = (name: string): FaultKind | undefined => faults.find(({kind, also}) => name === kind || name === also)

/** @throws UserError when there is no such kind, or it needs or takes other parameters */
export function faultOf(kind: string, parameters: FaultParameters = {}): Fault {
  const found = kindNamed(kind)
  if (found === undefined) {
    const near = nearest(kind, faultNames)
    const hint = near === undefined ? {} : {hint: `'${near}' may be meant`}
    throw new UserError(
      `Cannot use the fault as its kind must be one of ${faults.map((each) => each.kind).join(', ')}: it is '${kind}'`,
      hint,
    )
  }
  const {needs, may, oneOf = [], build} = found
  const missing = needs.find((name) => parameters[name] === undefined)
  if (missing !== undefined) throw new UserError(`Cannot use the fault '${kind}' as it must have '${missing}': it has none`)
  if (oneOf.length > 0 && oneOf.every((name) => parameters[name] === undefined)) {
    throw new UserError(`Cannot use the fault '${kind}' as it must have one of ${oneOf.join(', ')}: it has none`)
  }
  const known: readonly string[] = [...needs, ...may, ...oneOf]
  const odd = Object.keys(parameters).find((name) => !known.includes(name))
  if (odd !== undefined) {
    throw new UserError(`Cannot use the fault '${kind}' as it takes ${known.length === 0 ? 'nothing' : known.join(', ')}: it has '${odd}'`)
  }
  const fault = build(parameters)
  return fault.kind === kind ? fault : {...fault, kind}
}
