// What the client gets of the server's answer.
import type {Reply} from '../../../faults/plan.ts'
import {errorCodes} from '../../../http2/fault.ts'
import type {Answer} from '../answer/answer.ts'
import {eager} from '../answer/eager.ts'
import {collect, replay} from '../answer/whole-answer.ts'
import {tooLarge} from '../message/plain-bytes.ts'
import {statusFields, trailersOnly} from '../message/status-fields.ts'
import type {RuleMemory} from '../rule-memory.ts'
import type {Taken} from '../taken.ts'
import {passMessages} from './cut-stream.ts'
import {editAnswer} from './edit-answer.ts'
import {delayed, hang} from './held.ts'
import {passAnswer} from './pass-answer.ts'
import type {Prepared} from './prepare.ts'
import {throttle} from './throttle.ts'

/** Settles when the client's part is over. @throws StreamFailure of either side */
export async function reply(kind: Reply, prepared: Prepared, answer: Answer, memory: RuleMemory, taken: Taken): Promise<void> {
  const {client, known, record} = taken
  switch (kind.kind) {
    case 'pass':
      return passAnswer(answer, client)
    case 'hold':
      return hold(kind.ms, answer, taken)
    case 'replace':
      await done(answer, taken)
      return client.hasLeft ? undefined : prepared.answer?.(client)
    case 'reset':
      await done(answer, taken)
      // Its other calls have nothing to do with it then.
      return client.hasLeft ? undefined : breakOff(kind.scope, taken)
    case 'edit':
      if (known === undefined) return passAnswer(answer, client)
      return editAnswer(answer, client, {desc: known.output, edits: kind.edits, skip: (reason) => record.skip(reason)})
    case 'stale':
      return stale(prepared.key ?? '', answer, memory, taken)
    case 'swap':
      return swap(prepared, answer, taken)
    case 'throttle':
      return throttle(answer, taken, kind.bytesPerSecond)
    case 'cut':
      return cut(kind.after, kind.code, answer, taken)
    case 'stall':
      if (!(await passMessages(answer, client, kind.after))) return
      // The server may say more: it shall not notice.
      void answer.drain()
      return hang(taken)
    default:
      return kind satisfies never
  }
}

/**
 * Of a stream alone: INTERNAL_ERROR, from which gRPC clients make INTERNAL. REFUSED_STREAM would be UNAVAILABLE, but says that nothing was done, and
 * grpc-go sends such a call again by itself. Of a connection all of its calls are UNAVAILABLE.
 */
export function breakOff(scope: 'connection' | 'stream' = 'connection', {client}: Taken): void {
  if (scope === 'stream') client.reset(errorCodes.INTERNAL_ERROR)
  else client.breakConnection()
}

/** Until the server has done it; of a stream, until it has begun to answer. @throws StreamFailure when nobody knows whether it has */
async function done(answer: Answer, {known, client}: Taken): Promise<void> {
  if (known?.streams) {
    await answer.fields.catch(() => undefined)
    answer.reset(errorCodes.CANCEL)
  } else await Promise.race([answer.drain(), client.left])
  if (answer.lost !== undefined) throw answer.lost
}

async function hold(ms: number, answer: Answer, taken: Taken): Promise<void> {
  if (ms === Number.POSITIVE_INFINITY) {
    void answer.drain()
    return hang(taken)
  }
  const kept = eager(answer)
  await kept.fields.catch(() => undefined)
  if (ms > 0) await delayed(ms, taken)
  return passAnswer(kept, taken.client)
}

async function stale(key: string, answer: Answer, memory: RuleMemory, {client, record}: Taken): Promise<void> {
  const {source, whole} = await collect(answer)
  if (whole === undefined) record.skip(`the answer cannot be kept: ${tooLarge}`)
  const last = whole && memory.lastAnswer(key, whole)
  return passAnswer(last === undefined ? source : {...replay(last), madeUp: true}, client)
}

async function swap({pair}: Prepared, answer: Answer, {client}: Taken): Promise<void> {
  try {
    const {source} = await collect(answer)
    await Promise.race([pair?.otherAnswered, client.left])
    if (!client.hasLeft) await passAnswer(source, client)
  } finally {
    pair?.ended()
  }
}

async function cut(after: number, code: string | undefined, answer: Answer, {client, call}: Taken): Promise<void> {
  if (!(await passMessages(answer, client, after))) return
  const status = code === undefined ? {code: 'OK', message: ''} : {code, message: 'injected'}
  if (after === 0) client.only(trailersOnly(status, call.head.fields))
  else client.end(statusFields(status))
  answer.reset(errorCodes.CANCEL)
}
