// All invariants, and what a run breaks of them.
import type {Run, Violation, VolumeInvariant} from './invariant.ts'
import {endOfRunning} from './invariants/end-of-running.ts'
import {endUndone} from './invariants/end-undone.ts'
import {failureForgotten} from './invariants/failure-forgotten.ts'
import {leftBehind} from './invariants/left-behind.ts'
import {publishNotUndone, stageNotUndone} from './invariants/not-undone.ts'
import {removedWhilePublished} from './invariants/removed-while-published.ts'
import {removedWhileRunning} from './invariants/removed-while-running.ts'
import {stuckTerminating} from './invariants/stuck-terminating.ts'
import {successMadeUp} from './invariants/success-made-up.ts'
import {unstagedWhilePublished} from './invariants/unstaged-while-published.ts'
import {podLives} from './pod-lives.ts'
import {type VolumeLife, volumeLives} from './volume-lives.ts'

const ofPods = [successMadeUp, failureForgotten, endUndone, endOfRunning, removedWhileRunning, stuckTerminating] as const
const ofVolumes = [stageNotUndone, publishNotUndone, unstagedWhilePublished, removedWhilePublished] as const

export const invariants = [...ofPods, ...ofVolumes, leftBehind] as const

/** In the order of the invariants, then of the pods or volumes. Histories about volumes are held against what is about those, and that pods go. */
export function violationsIn(run: Run): readonly Violation[] {
  const lives = podLives(run.events)
  const volumes = volumeLives(run)
  const first = [
    ...(volumes.length > 0 ? [stuckTerminating] : ofPods).flatMap(({name, check}) =>
      lives.flatMap((life) => check(life, run).map((breach): Violation => ({...breach, invariant: name, pod: life.pod}))),
    ),
    ...ofVolumes.flatMap((invariant) => volumes.flatMap((life) => ofVolume(invariant, life, run))),
  ]
  const explained = new Set(first.map(({volume}) => volume))
  return [...first, ...volumes.flatMap((life) => (explained.has(life.volume) ? [] : ofVolume(leftBehind, life, run)))]
}

const ofVolume = ({name, check}: VolumeInvariant, life: VolumeLife, run: Run): readonly Violation[] =>
  check(life, run).map((breach) => ({...breach, invariant: name, volume: life.volume}))
