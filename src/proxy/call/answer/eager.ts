// An answer that is read as it comes although nobody takes it yet, so that its end is known when it happens.
import {mostBytes} from '../../../faults/whole-messages.ts'
import type {AnswerSource} from './answer.ts'

export function eager(answer: AnswerSource): AnswerSource {
  const pieces: Uint8Array[] = []
  let held = 0
  let end: {readonly error?: unknown} | undefined
  let changed = Promise.withResolvers<void>()
  const tell = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const readAll = async () => {
    try {
      await answer.fields
      for (;;) {
        while (held > mostBytes) await changed.promise
        const piece = await answer.read()
        if (piece === undefined) break
        pieces.push(piece)
        held += piece.length
        tell()
      }
      end = {}
    } catch (error) {
      end = {error}
    }
    tell()
  }
  void readAll()
  return {
    fields: answer.fields,
    get atEnd() {
      return end !== undefined || answer.atEnd
    },
    read: async () => {
      for (;;) {
        const piece = pieces.shift()
        if (piece !== undefined) {
          held -= piece.length
          tell()
          return piece
        }
        if (end !== undefined) {
          if ('error' in end) throw end.error
          return undefined
        }
        await changed.promise
      }
    },
    get trailers() {
      return answer.trailers
    },
  }
}
