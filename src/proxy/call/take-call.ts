// A call that somebody may take: its request is read as far as the rules must see it, they are asked, and what they say is done.
import {type DescMessage, fromBinary, type Message} from '@bufbuild/protobuf'
import {passed} from '../../faults/plan.ts'
import {errorCodes} from '../../http2/fault.ts'
import type {HeaderField} from '../../http2/header-field.ts'
import type {TakenCall} from '../relay/handling.ts'
import type {CallAtHand} from './call-at-hand.ts'
import type {Decided} from './call-book.ts'
import {carryOut} from './carry-out/carry-out.ts'
import {ClientSide} from './client-side.ts'
import {describeCall, describeHead} from './describe/describe-call.ts'
import type {CallHandlerOptions} from './handler-options.ts'
import {plainBytes} from './message/plain-bytes.ts'
import {Unreadable} from './message/unreadable.ts'
import {answerCaptureOf, learn} from './names/captured-names.ts'
import {RequestSide} from './request-side.ts'
import {ruleMemory} from './rule-memory.ts'
import type {Taken} from './taken.ts'

/** Never rejects. @param decision of a rule that its HEADERS were enough for */
export async function takeCall(call: TakenCall, atHand: CallAtHand, options: CallHandlerOptions, decision?: Decided): Promise<void> {
  const {called, known, record} = atHand
  const {book, clock, dial, names, onCall, signal, healed} = options
  record.takenBy(decision?.rule)
  const client = new ClientSide(call.client, record, call.breakConnection)
  const request = new RequestSide(call.client, record)
  // Where no rule asks for it, a request that cannot be read is only not told of.
  const skip = (reason: string) => (decision === undefined ? record.skip(reason) : undefined)
  try {
    const reads = known !== undefined && (decision === undefined || onCall !== undefined || atHand.decodes)
    const message = reads ? await readRequest(known.input, request, call.head.fields, skip) : undefined
    if (known !== undefined && message !== undefined) record.matched = describeCall(called, known, message, names)
    const decided: Decided = decision ?? (message === undefined ? {plan: passed} : book.decide(record.matched ?? describeHead(called)))
    const {plan, rule, skipped} = decided
    record.takenBy(rule)
    if (skipped !== undefined) record.skip(skipped)
    const answerCapture = atHand.decodes ? answerCaptureOf(called.method) : undefined
    const taken: Taken = {call, known, client, request, record, clock, signal, healed, dial, answerCapture}
    await carryOut(plan, rule === undefined ? ruleMemory() : book.memoryOf(rule), taken)
    if (atHand.decodes) learn(called.method, message, answerCapture, names)
  } catch (error) {
    if (client.isOver) return
    // A mistake of ours: this call pays for it, and no other.
    record.skip(String(error))
    client.reset(errorCodes.INTERNAL_ERROR)
  }
}

/** Undefined when it cannot be read: then nobody can say whether a rule matches, and the call passes. @throws StreamFailure when the client leaves */
async function readRequest(
  desc: DescMessage,
  request: RequestSide,
  fields: readonly HeaderField[],
  skip: (reason: string) => void,
): Promise<Message | undefined> {
  try {
    const bytes = plainBytes(await request.message(), fields)
    try {
      return fromBinary(desc, bytes)
    } catch {
      throw new Unreadable(`it is no ${desc.name}`)
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    skip(`the request cannot be read: ${error.message}`)
    return undefined
  }
}
