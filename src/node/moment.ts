// A moment in a file that somebody wrote, in valibot's terms.
import * as v from 'valibot'
import {readInstant} from '../base/instant.ts'

export const moment = v.pipe(
  v.string(),
  v.check((text) => readInstant(text) !== undefined, 'a moment such as 2026-11-30T03:11:04Z'),
)
