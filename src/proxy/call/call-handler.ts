// What becomes of the calls of one connection: most pass, and whom a rule takes its plan is carried out with.
import type {CallHead, HandleCall, Handling} from '../relay/handling.ts'
import type {CallAtHand} from './call-at-hand.ts'
import {type CalledMethod, calledMethod} from './call-head.ts'
import {MessagesKept} from './called-messages.ts'
import {describeHead} from './describe/describe-call.ts'
import type {CallHandlerOptions} from './handler-options.ts'
import {type KnownMethod, knownMethod} from './known-methods.ts'
import {takeCall} from './take-call.ts'
import {CallRecord} from './trace/call-record.ts'
import {watchCall} from './watch-call.ts'

/** A rule that must see a request is asked once it is there. Of a method that is not known it never could be: such rules do not match then. */
export function callHandler(options: CallHandlerOptions): HandleCall {
  const {book, onCall, keep, decodeAll} = options
  const looks = (onCall ?? keep) !== undefined
  return (head): Handling => {
    const called = calledMethod(head.path)
    const known = knownMethod(head.path)
    const may = book.mayMatch(called)
    const decodes = known !== undefined && (decodeAll || book.usesNames)
    if (may === 'no' && !looks && !decodes) return {kind: 'pass'}
    const record = recordOf(head, called, known, options)
    const atHand: CallAtHand = {head, called, known, record, decodes}
    if (may === 'by-message' && known !== undefined) return {kind: 'take', take: (call) => takeCall(call, atHand, options)}
    const decision = may === 'no' ? undefined : book.decide(describeHead(called))
    if (decision?.rule === undefined) return {kind: 'pass', ...(looks || decodes ? {watcher: watchCall(atHand, options)} : {})}
    return {kind: 'take', take: (call) => takeCall(call, atHand, options, decision)}
  }
}

function recordOf(
  {fields}: CallHead,
  called: CalledMethod,
  known: KnownMethod | undefined,
  {clock, connection, nextId, onCall, keep, underWay}: CallHandlerOptions,
): CallRecord {
  const messages = keep && new MessagesKept(keep, known, fields)
  return new CallRecord({id: nextId(), connection, called, fields, clock, onCall, messages, underWay})
}
