// The server's answer with changes in each of its messages. They go on without compression, which gRPC has a flag for in each.
import type {DescMessage} from '@bufbuild/protobuf'
import type {Edit} from '../../../faults/edit.ts'
import type {HeaderField} from '../../../http2/header-field.ts'
import type {AnswerSource} from '../answer/answer.ts'
import type {ClientSide} from '../client-side.ts'
import {editMessage} from '../edit/edit-message.ts'
import {type FramedMessage, frameMessage, MessageSplitter} from '../message/message-splitter.ts'
import {largestMessage, plainBytes, tooLarge} from '../message/plain-bytes.ts'
import {Unreadable} from '../message/unreadable.ts'
import {passInPieces} from './pass-answer.ts'

export interface EditOptions {
  readonly desc: DescMessage
  readonly edits: readonly Edit[]
  /** Of a message that passes as it is. */
  readonly skip: (reason: string) => void
}

/** @throws StreamFailure of either side */
export async function editAnswer(source: AnswerSource, client: ClientSide, options: EditOptions): Promise<void> {
  const splitter = new MessageSplitter()
  let fields: readonly HeaderField[] = []
  let gaveUp = false
  const send = async (piece: Uint8Array) => {
    if (gaveUp) return client.write(piece)
    splitter.push(piece)
    for (let next = splitter.next(); next !== undefined; next = splitter.next()) await client.write(edited(next, fields, options))
    if ((splitter.announced ?? 0) <= largestMessage) return
    options.skip(tooLarge)
    gaveUp = true
    await client.write(splitter.rest())
  }
  await passInPieces(source, client, send, {
    headers: (given) => {
      fields = given
      return withoutLength(given)
    },
    // Of a message that the server broke off.
    rest: () => client.write(splitter.rest()),
  })
}

function edited(message: FramedMessage, fields: readonly HeaderField[], {desc, edits, skip}: EditOptions): Uint8Array {
  try {
    return frameMessage({compressed: false, bytes: editMessage(desc, plainBytes(message, fields), edits)})
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    skip(`the answer cannot be edited: ${error.message}`)
    return frameMessage(message)
  }
}

export function withoutLength(fields: readonly HeaderField[]): readonly HeaderField[] {
  return fields.some(({name}) => name === 'content-length') ? fields.filter(({name}) => name !== 'content-length') : fields
}
