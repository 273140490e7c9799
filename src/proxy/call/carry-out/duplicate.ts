// The second of two calls that a rule makes of one: over a connection of its own, and nobody has its answer.
import type {ClientConnection, ClientStream} from '../../../http2/client-connection.ts'
import type {HeaderField} from '../../../http2/header-field.ts'
import {Answer} from '../answer/answer.ts'

export interface DuplicateOptions {
  readonly dial: () => Promise<ClientConnection>
  readonly fields: readonly HeaderField[]
  /** How it ended; without a code nobody knows. */
  readonly onEnd: (code: string | undefined) => void
}

export interface Duplicate {
  readonly stream: ClientStream
  /** Reads its answer to the end, then closes its connection. */
  readonly finish: () => Promise<void>
  /** Closes its connection, too. */
  readonly reset: (code: number) => void
}

/** Undefined when there is no connection to be had: the call goes up once then. */
export async function startDuplicate({dial, fields, onEnd}: DuplicateOptions): Promise<Duplicate | undefined> {
  try {
    const connection = await dial()
    const stream = await requestOn(connection, fields)
    const answer = new Answer({stream, onEnd: ({code, byUs}) => onEnd(byUs ? undefined : code)})
    return {
      stream,
      finish: async () => {
        await answer.drain()
        connection.close()
      },
      reset: (code) => {
        answer.reset(code)
        connection.close()
      },
    }
  } catch {
    onEnd('UNAVAILABLE')
    return undefined
  }
}

async function requestOn(connection: ClientConnection, fields: readonly HeaderField[]): Promise<ClientStream> {
  try {
    return await connection.request(fields.map((field) => (field.name === ':authority' ? {...field, value: 'localhost'} : field)))
  } catch (error) {
    connection.destroy()
    throw error
  }
}
