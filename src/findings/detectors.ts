// Every detector, by code.

import {driverNotRegistered} from './c01-driver-not-registered.ts'
import {driverSocketDead} from './c02-driver-socket-dead.ts'
import {driverHung} from './c03-driver-hung.ts'
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
import {deadOrHungMount} from './v09-dead-or-hung-mount.ts'
import {subpathLeftMounted} from './v10-subpath-left-mounted.ts'
import {rawBlockLeft} from './v11-raw-block-left.ts'

export const detectors = [
  driverNotRegistered,
  driverSocketDead,
  driverHung,
  stageUncertain,
  publishUncertain,
  orphanPodDir,
  volDataUnreadable,
  leakedPublishMount,
  strandedStaging,
  publishWithoutStage,
  volumeDirNotMounted,
  stackedMounts,
  deadOrHungMount,
  subpathLeftMounted,
  rawBlockLeft,
] as const satisfies readonly Detector[]
