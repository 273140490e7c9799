// What a plan needs before anything of it is done. When that cannot be had, the call passes: half a fault would be another one.
import {createHash} from 'node:crypto'
import {type Plan, passed} from '../../../faults/plan.ts'
import {checkEdit} from '../edit/check-edit.ts'
import {editMessage} from '../edit/edit-message.ts'
import type {KnownMethod} from '../known-methods.ts'
import {frameMessage} from '../message/message-splitter.ts'
import {plainBytes} from '../message/plain-bytes.ts'
import {Unreadable} from '../message/unreadable.ts'
import type {Paired, RuleMemory} from '../rule-memory.ts'
import type {Taken} from '../taken.ts'
import {type Answering, answering} from './replacement.ts'

export interface Prepared {
  readonly plan: Plan
  /** Of 'replace'. */
  readonly answer?: Answering
  /** Of 'stale': the request, for comparison. */
  readonly key?: string
  /** Of 'swap'. */
  readonly pair?: Paired
  /** Content-length says no longer how long the request is. */
  readonly requestChanged?: true
}

/** @throws StreamFailure when the client leaves */
export async function prepare(plan: Plan, memory: RuleMemory, taken: Taken): Promise<Prepared> {
  try {
    return await prepared(plan, memory, taken)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    taken.record.skip(error.message)
    return {plan: passed}
  }
}

async function prepared(plan: Plan, memory: RuleMemory, taken: Taken): Promise<Prepared> {
  const {call, request} = taken
  const {fields} = call.head
  const {reply} = plan
  if (plan.request !== undefined && plan.request.length > 0) {
    const {input} = methodOf(taken)
    const bytes = plainBytes(await request.message(), fields)
    request.replaceRead(frameMessage({compressed: false, bytes: editMessage(input, bytes, plan.request)}))
  }
  const requestChanged = plan.request === undefined ? {} : ({requestChanged: true} as const)
  // Of a method that is not known the client may wait for the server's first word: then both get the request as it comes.
  if (plan.forward === 2 && taken.known !== undefined) await request.whole()
  switch (reply.kind) {
    case 'replace':
      return {plan, ...requestChanged, answer: answering(reply.with, fields, taken.known?.output)}
    case 'edit':
      // Its fields and values are looked at before the server hears of the call.
      for (const edit of reply.edits) checkEdit(methodOf(taken).output, edit)
      return {plan, ...requestChanged}
    case 'stale': {
      oneAnswer(methodOf(taken))
      const bytes = plainBytes(await request.message(), fields)
      return {plan, ...requestChanged, key: `${call.head.path} ${createHash('sha256').update(bytes).digest('base64')}`}
    }
    case 'swap':
      if (taken.known?.streams) oneAnswer(taken.known)
      return {plan, ...requestChanged, pair: memory.pair()}
    default:
      return {plan, ...requestChanged}
  }
}

function methodOf({known}: Taken): KnownMethod {
  if (known === undefined) throw new Unreadable('messages of a method that is not known cannot be read')
  return known
}

function oneAnswer({streams}: KnownMethod): void {
  if (streams) throw new Unreadable('the answer is a stream')
}
