// Another answer than the server's, as the header fields and messages that it is.
import {type DescMessage, fromJson, type JsonValue, toBinary} from '@bufbuild/protobuf'
import type {Replacement} from '../../../faults/plan.ts'
import type {HeaderField} from '../../../http2/header-field.ts'
import type {ClientSide} from '../client-side.ts'
import {frameMessage} from '../message/message-splitter.ts'
import {replyHead, statusFields, trailersOnly} from '../message/status-fields.ts'
import {Unreadable} from '../message/unreadable.ts'

export type Answering = (client: ClientSide) => Promise<void>

/**
 * @param request the fields of the client's request
 * @param output absent where the method is not known: then only a status can be made
 * @throws Unreadable when it cannot be made
 */
export function answering(replacement: Replacement, request: readonly HeaderField[], output: DescMessage | undefined): Answering {
  if ('code' in replacement) return async (client) => client.only(trailersOnly(replacement, request))
  if (output === undefined) throw new Unreadable('an answer of a method that is not known cannot be made')
  const message = frameMessage({
    compressed: false,
    bytes: 'asIfDone' in replacement ? asIfDone(output) : fromData(output, replacement.response),
  })
  return async (client) => {
    client.headers(replyHead(request))
    await client.write(message)
    client.end(statusFields({code: 'OK', message: ''}))
  }
}

/** Most calls that bring something about answer with an empty message. Others give an id, which only the server could make. */
function asIfDone(output: DescMessage): Uint8Array {
  if (output.fields.length === 0) return new Uint8Array(0)
  throw new Unreadable(
    `what the server would answer is not known: ${output.name} has ${output.fields.map(({jsonName}) => jsonName).join(', ')}`,
  )
}

function fromData(output: DescMessage, response: unknown): Uint8Array {
  try {
    return toBinary(output, fromJson(output, (response ?? {}) as JsonValue))
  } catch (error) {
    throw new Unreadable(`the rule's response is no ${output.name}: ${error instanceof Error ? error.message : error}`)
  }
}
