// The server's answer goes to the client as it is: fields, messages, trailers; what is trailers-only stays so.
import type {HeaderField} from '../../../http2/header-field.ts'
import type {AnswerSource} from '../answer/answer.ts'
import type {ClientSide} from '../client-side.ts'

/** @throws StreamFailure of either side */
export async function passAnswer(source: AnswerSource, client: ClientSide): Promise<void> {
  return passInPieces(source, client, (piece) => client.write(piece))
}

export interface Passing {
  readonly headers?: (fields: readonly HeaderField[]) => readonly HeaderField[]
  /** Behind the last piece. */
  readonly rest?: () => Promise<void>
}

export async function passInPieces(
  source: AnswerSource,
  client: ClientSide,
  send: (piece: Uint8Array) => Promise<void>,
  {headers = (fields) => fields, rest}: Passing = {},
): Promise<void> {
  const fields = await source.fields
  let piece: Uint8Array | undefined
  if (source.atEnd) {
    piece = await source.read()
    if (piece === undefined && source.trailers === undefined) {
      if (!source.madeUp) client.hearsServer()
      return client.only(fields)
    }
  }
  client.headers(headers(fields))
  piece ??= await source.read()
  for (; piece !== undefined; piece = await source.read()) await send(piece)
  await rest?.()
  if (!source.madeUp) client.hearsServer()
  client.end(source.trailers)
}
