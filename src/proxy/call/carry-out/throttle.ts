// The answer's bytes come at a pace.
import type {AnswerSource} from '../answer/answer.ts'
import type {Taken} from '../taken.ts'
import {delayed} from './held.ts'
import {passInPieces} from './pass-answer.ts'

/** So many pieces a second at most. */
const perSecond = 10

/** @throws StreamFailure of either side */
export async function throttle(source: AnswerSource, taken: Taken, bytesPerSecond: number): Promise<void> {
  const most = Math.max(1, Math.floor(bytesPerSecond / perSecond))
  const {client} = taken
  await passInPieces(source, client, async (piece) => {
    for (let from = 0; from < piece.length; from += most) {
      const part = piece.subarray(from, from + most)
      // They take their time on the way, and are there when it is over.
      await delayed((part.length * 1000) / bytesPerSecond, taken)
      await client.write(part)
    }
  })
}
