// So many messages of an answer pass as they are, and no more.
import type {AnswerSource} from '../answer/answer.ts'
import type {ClientSide} from '../client-side.ts'
import {frameMessage, MessageSplitter} from '../message/message-splitter.ts'
import {withoutLength} from './edit-answer.ts'

/** False when the answer ended before that: then all of it has passed. @throws StreamFailure of either side */
export async function passMessages(source: AnswerSource, client: ClientSide, count: number): Promise<boolean> {
  // A server may send its fields with the first message only.
  if (count === 0) return true
  const fields = await source.fields
  const splitter = new MessageSplitter()
  let passed = 0
  let piece: Uint8Array | undefined
  if (source.atEnd) {
    piece = await source.read()
    if (piece === undefined && source.trailers === undefined) {
      client.hearsServer()
      client.only(fields)
      return false
    }
  }
  client.headers(withoutLength(fields))
  piece ??= await source.read()
  for (; piece !== undefined; piece = await source.read()) {
    splitter.push(piece)
    for (let next = splitter.next(); next !== undefined; next = splitter.next()) {
      await client.write(frameMessage(next))
      passed++
      if (passed === count) return true
    }
  }
  client.hearsServer()
  client.end(source.trailers)
  return false
}
