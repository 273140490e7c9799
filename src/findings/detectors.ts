// Every detector, by code.
import type {Detector} from './detector.ts'
import {stageUncertain} from './u01-stage-uncertain.ts'
import {publishUncertain} from './u02-publish-uncertain.ts'
import {orphanPodDir} from './v01-orphan-pod-dir.ts'
import {volDataUnreadable} from './v02-vol-data-unreadable.ts'
import {leakedPublishMount} from './v03-leaked-publish-mount.ts'
import {strandedStaging} from './v04-stranded-staging.ts'
import {publishWithoutStage} from './v05-publish-without-stage.ts'
import {volumeDirNotMounted} from './v06-volume-dir-not-mounted.ts'
import {stackedMounts} from './v07-stacked-mounts.ts'

export const detectors = [
  stageUncertain,
  publishUncertain,
  orphanPodDir,
  volDataUnreadable,
  leakedPublishMount,
  strandedStaging,
  publishWithoutStage,
  volumeDirNotMounted,
  stackedMounts,
] as const satisfies readonly Detector[]
