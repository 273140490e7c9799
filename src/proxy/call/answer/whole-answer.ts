// An answer that is read to its end before any of it goes on.
import type {HeaderField} from '../../../http2/header-field.ts'
import {largestMessage} from '../message/plain-bytes.ts'
import type {AnswerSource} from './answer.ts'

export interface WholeAnswer {
  readonly fields: readonly HeaderField[]
  readonly pieces: readonly Uint8Array[]
  readonly trailers: readonly HeaderField[] | undefined
  readonly bytes: number
}

export interface Collected {
  /** What there is to pass on. */
  readonly source: AnswerSource
  /** Absent when it is too large. */
  readonly whole?: WholeAnswer
}

/** @throws StreamFailure */
export async function collect(source: AnswerSource): Promise<Collected> {
  const fields = await source.fields
  const pieces: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const piece = await source.read()
    if (piece === undefined) break
    pieces.push(piece)
    bytes += piece.length
    if (bytes > largestMessage) return {source: continued(source, fields, pieces)}
  }
  const whole = {fields, pieces, trailers: source.trailers, bytes}
  return {source: replay(whole), whole}
}

export function replay({fields, pieces, trailers}: WholeAnswer): AnswerSource {
  let next = 0
  return {fields: Promise.resolve(fields), atEnd: true, read: async () => pieces[next++], trailers}
}

/** What was read, and then what comes. */
function continued(source: AnswerSource, fields: readonly HeaderField[], pieces: Uint8Array[]): AnswerSource {
  let next = 0
  return {
    fields: Promise.resolve(fields),
    atEnd: false,
    read: async () => {
      const piece = pieces[next]
      if (piece === undefined) return source.read()
      // Each is let go of as it goes on.
      pieces[next++] = new Uint8Array(0)
      return piece
    },
    get trailers() {
      return source.trailers
    },
  }
}
