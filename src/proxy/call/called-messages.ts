// A call with its messages, when it has ended: what a recording is made of.
import type {Message} from '@bufbuild/protobuf'
import type {HeaderField} from '../../http2/header-field.ts'
import type {KnownMethod} from './known-methods.ts'
import {type HeldBytes, KeptBody, type KeptLimits} from './message/kept-body.ts'
import type {TracedCall} from './traced-call.ts'

export interface CalledMessages {
  /** As onCall has it. */
  readonly call: TracedCall
  /** Absent where nobody can read its messages. */
  readonly known?: KnownMethod
  /** As the client sent it. */
  readonly request?: Message
  /** As the client got them, as far as it did. */
  readonly responses: readonly Message[]
  /** Why not all of them are here. */
  readonly unkept?: string
}

export interface KeepMessages {
  readonly limits: KeptLimits
  readonly held: HeldBytes
  readonly onMessages: (messages: CalledMessages) => void
}

/** What is kept of one call until it has ended. */
export class MessagesKept {
  readonly #known: KnownMethod | undefined
  readonly #onMessages: KeepMessages['onMessages']
  readonly request: KeptBody
  readonly response: KeptBody

  constructor({limits, held, onMessages}: KeepMessages, known: KnownMethod | undefined, fields: readonly HeaderField[]) {
    this.#known = known
    this.#onMessages = onMessages
    // Of a method that is not known no byte is worth keeping.
    const those = known === undefined ? {...limits, body: 0} : limits
    this.request = new KeptBody('the request', those, held, fields)
    this.response = new KeptBody('the answer', those, held)
  }

  tell(call: TracedCall): void {
    this.#onMessages({call, ...this.#read()})
  }

  #read(): Omit<CalledMessages, 'call'> {
    const known = this.#known
    if (known === undefined) {
      this.request.close()
      this.response.close()
      return {responses: [], unkept: 'the method is not known'}
    }
    const {
      messages: [request],
      unkept: first,
    } = this.request.read(known.input)
    const {messages: responses, unkept: second} = this.response.read(known.output)
    const unkept = [first, second].filter((why) => why !== undefined).join('; ')
    return {known, ...(request && {request}), responses, ...(unkept !== '' && {unkept})}
  }
}
