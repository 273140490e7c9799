// Makes a history smaller as long as it still breaks the same invariant in the same way.
import type {History} from '../history.ts'
import {longestRun} from '../patience.ts'
import {simpler} from './simpler.ts'

export interface Shrunk {
  readonly history: History
  /** How many were tried. */
  readonly tried: number
}

/** More tries than any history of ours needs: a limit for one that goes round in circles. */
const mostTries = 1000

const shorterRuns = [10_000, 20_000, 30_000, 60_000, 120_000, 240_000]

/** @param breaks whether a history still does it */
export async function shrink(history: History, breaks: (history: History) => Promise<boolean>): Promise<Shrunk> {
  let best = history
  let tried = 0
  let smaller = true
  // What could not be left out before may be left out now: again, until a whole round finds nothing.
  while (smaller && tried < mostTries) {
    smaller = false
    for (let index = 0; tried < mostTries; ) {
      const candidate = [...simpler(best)][index]
      if (candidate === undefined) break
      const timed = {...candidate, until: longestRun(candidate)}
      tried++
      if (await breaks(timed)) {
        best = timed
        smaller = true
      } else index++
    }
  }
  for (const until of shorterRuns) {
    const candidate = {...best, until}
    if (until >= best.until || !(await breaks(candidate))) continue
    best = candidate
    break
  }
  return {history: best, tried}
}
