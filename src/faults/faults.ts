// All that can be done to a call, for those who read faults from a file.
import {UserError} from '../base/errors.ts'
import {delay} from './delay.ts'
import {duplicate} from './duplicate.ts'
import {execThenError} from './exec-then-error.ts'
import {fail} from './fail.ts'
import {fakeSuccess} from './fake-success.ts'
import type {Fault} from './fault.ts'
import {hang} from './hang.ts'
import {hold} from './hold.ts'
import {loseReply} from './lose-reply.ts'
import {reset} from './reset.ts'

export interface FaultParameters {
  readonly ms?: number
  readonly code?: string
  readonly message?: string
  readonly response?: unknown
}

export interface FaultKind {
  readonly kind: string
  readonly needs: readonly (keyof FaultParameters)[]
  readonly may: readonly (keyof FaultParameters)[]
  readonly build: (parameters: FaultParameters) => Fault
}

const ms = (parameters: FaultParameters): number => parameters.ms ?? 0
const code = (parameters: FaultParameters): string => parameters.code ?? 'UNKNOWN'

export const faults: readonly FaultKind[] = [
  {kind: 'fail', needs: ['code'], may: ['message'], build: (given) => fail(code(given), given.message)},
  {kind: 'delay', needs: ['ms'], may: [], build: (given) => delay(ms(given))},
  {kind: 'hang', needs: [], may: [], build: () => hang()},
  {kind: 'lose-reply', needs: [], may: [], build: () => loseReply()},
  {kind: 'hold', needs: ['ms'], may: [], build: (given) => hold(ms(given))},
  {kind: 'exec-then-error', needs: ['code'], may: ['message'], build: (given) => execThenError(code(given), given.message)},
  {kind: 'fake-success', needs: [], may: ['response'], build: (given) => fakeSuccess(given.response)},
  {kind: 'duplicate', needs: [], may: [], build: () => duplicate()},
  {kind: 'reset', needs: [], may: [], build: () => reset()},
]

/** @throws UserError when there is no such kind, or it needs or takes other parameters */
export function faultOf(kind: string, parameters: FaultParameters = {}): Fault {
  const found = faults.find((each) => each.kind === kind)
  if (found === undefined) {
    throw new UserError(`Cannot use the fault as its kind must be one of ${faults.map((each) => each.kind).join(', ')}: it is '${kind}'`)
  }
  const missing = found.needs.find((name) => parameters[name] === undefined)
  if (missing !== undefined) throw new UserError(`Cannot use the fault '${kind}' as it must have '${missing}': it has none`)
  const known: readonly string[] = [...found.needs, ...found.may]
  const odd = Object.keys(parameters).find((name) => !known.includes(name))
  if (odd !== undefined) {
    throw new UserError(`Cannot use the fault '${kind}' as it takes ${known.length === 0 ? 'nothing' : known.join(', ')}: it has '${odd}'`)
  }
  return found.build(parameters)
}
