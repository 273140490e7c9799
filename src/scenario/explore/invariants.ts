// All invariants, and what a run breaks of them.
import type {Run, Violation} from './invariant.ts'
import {endOfRunning} from './invariants/end-of-running.ts'
import {endUndone} from './invariants/end-undone.ts'
import {failureForgotten} from './invariants/failure-forgotten.ts'
import {removedWhileRunning} from './invariants/removed-while-running.ts'
import {stuckTerminating} from './invariants/stuck-terminating.ts'
import {successMadeUp} from './invariants/success-made-up.ts'
import {podLives} from './pod-lives.ts'

export const invariants = [successMadeUp, failureForgotten, endUndone, endOfRunning, removedWhileRunning, stuckTerminating] as const

/** In the order of the invariants, then of the pods. */
export function violationsIn(run: Run): readonly Violation[] {
  const lives = podLives(run.events)
  return invariants.flatMap(({name, check}) =>
    lives.flatMap((life) => check(life, run).map((breach): Violation => ({...breach, invariant: name, pod: life.pod}))),
  )
}
