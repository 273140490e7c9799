// What a rule's plan says is done to one call: the second of the two that carry out plans; the lab's ports are the first.
//
// A wait before the call leaves grpc-timeout as the client sent it, as a slow network would: a server then counts its deadline from when it hears of
// the call. It is the client's own that ends the call: its RST_STREAM goes up unless the plan strips the deadline.
import {onAbort} from '../../../base/on-abort.ts'
import type {Plan} from '../../../faults/plan.ts'
import type {ClientStream} from '../../../http2/client-connection.ts'
import {errorCodes} from '../../../http2/fault.ts'
import {Answer} from '../answer/answer.ts'
import type {RuleMemory} from '../rule-memory.ts'
import type {Taken} from '../taken.ts'
import {type Duplicate, startDuplicate} from './duplicate.ts'
import {withoutLength} from './edit-answer.ts'
import {delayed, hang} from './held.ts'
import {type Prepared, prepare} from './prepare.ts'
import {breakOff, reply} from './reply.ts'

/** Settles when client and server are done with it. @throws StreamFailure when the client leaves before the server has heard of it */
export async function carryOut(wanted: Plan, memory: RuleMemory, taken: Taken): Promise<void> {
  const {client, request} = taken
  // The server never hears of it, and the client nothing.
  if (wanted.before === Number.POSITIVE_INFINITY) {
    await Promise.all([request.drain(), hang(taken)])
    return
  }
  const prepared = await prepare(wanted, memory, taken)
  try {
    const {plan} = prepared
    if (plan.before > 0) await delayed(plan.before, taken)
    if (client.hasLeft) return
    if (plan.forward === 0) await answerAlone(prepared, taken)
    else await forward(prepared, memory, taken)
  } finally {
    prepared.pair?.ended()
  }
}

async function answerAlone({plan, answer}: Prepared, taken: Taken): Promise<void> {
  const {client, request} = taken
  const drained = request.drain()
  if (answer !== undefined) await answer(client)
  else if (plan.reply.kind === 'reset') breakOff(plan.reply.scope, taken)
  else await hang(taken)
  await drained
}

async function forward(prepared: Prepared, memory: RuleMemory, taken: Taken): Promise<void> {
  const {call, client, request, record} = taken
  const {plan} = prepared
  const outlives = plan.upstreamDeadline === 'strip'
  const unchanged = prepared.requestChanged ? withoutLength(call.head.fields) : call.head.fields
  const fields = outlives ? unchanged.filter(({name}) => name !== 'grpc-timeout') : unchanged
  const duplicate = plan.forward === 2 ? await startDuplicate({dial: taken.dial, fields, onEnd: record.began('duplicate')}) : undefined
  let stream: ClientStream
  try {
    stream = await call.open(fields, {outlives})
  } catch (error) {
    duplicate?.reset(errorCodes.CANCEL)
    return client.failedUpstream(error)
  }
  record.reached = true
  const ended = record.began('upstream')
  const answer = new Answer({
    stream,
    capture: taken.answerCapture,
    forServer: (wait) => record.forServer(wait),
    onEnd: ({code, byUs}) => ended(byUs ? undefined : code),
  })
  const stay = stopWith(taken, answer, duplicate, outlives)
  const second = duplicate?.finish()
  const sent = request.sendTo(duplicate === undefined ? [stream] : [stream, duplicate.stream])
  try {
    await reply(plan.reply, prepared, answer, memory, taken)
  } catch (error) {
    // Either side's failure: the client's own needs no answer.
    if (!client.hasLeft) client.failedUpstream(error)
  }
  await answer.drain()
  await Promise.all([sent, second])
  stay()
}

/** Who leaves takes the call back, unless it outlives that. */
function stopWith({client, signal}: Taken, answer: Answer, duplicate: Duplicate | undefined, outlives: boolean): () => void {
  const end = (code: number) => {
    answer.reset(code)
    duplicate?.reset(code)
  }
  if (signal.aborted) end(errorCodes.CANCEL)
  else if (client.hasLeft && !outlives) end(client.resetCode)
  else if (!outlives) void client.left.then(() => end(client.resetCode))
  return onAbort(signal, () => end(errorCodes.CANCEL))
}
