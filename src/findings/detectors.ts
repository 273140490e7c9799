// Every detector, by code.

import type {Detector} from './detector.ts'
import {driverNotRegistered} from './drivers/c01-driver-not-registered.ts'
import {driverSocketDead} from './drivers/c02-driver-socket-dead.ts'
import {driverHung} from './drivers/c03-driver-hung.ts'
import {kubeletNotSyncing} from './kubelet/k02-kubelet-not-syncing.ts'
import {orphanPodDir} from './leftovers/v01-orphan-pod-dir.ts'
import {leakedPublishMount} from './leftovers/v03-leaked-publish-mount.ts'
import {strandedStaging} from './leftovers/v04-stranded-staging.ts'
import {subpathLeftMounted} from './leftovers/v10-subpath-left-mounted.ts'
import {rawBlockLeft} from './leftovers/v11-raw-block-left.ts'
import {stackedMounts} from './mounts/v07-stacked-mounts.ts'
import {deadOrHungMount} from './mounts/v09-dead-or-hung-mount.ts'
import {terminatingWithNothingLeft} from './pods/p01-terminating-with-nothing-left.ts'
import {statusIdMismatch} from './pods/p02-status-id-mismatch.ts'
import {madeUpExit} from './pods/p03-made-up-exit.ts'
import {phaseContradiction} from './pods/p04-phase-contradiction.ts'
import {runtimeUnresponsive} from './runtime/r01-runtime-unresponsive.ts'
import {leakedSandbox} from './runtime/r02-leaked-sandbox.ts'
import {runningContainerNobodyOwns} from './runtime/r03-running-container-nobody-owns.ts'
import {duplicateRunning} from './runtime/r06-duplicate-running.ts'
import {processGone} from './runtime/r08-container-running-but-process-gone.ts'
import {timestampsImpossible} from './runtime/r10-timestamps-impossible.ts'
import {takeover} from './takeovers/t01-takeover.ts'
import {stageUncertain} from './uncertain/u01-stage-uncertain.ts'
import {publishUncertain} from './uncertain/u02-publish-uncertain.ts'
import {volDataUnreadable} from './volumes/v02-vol-data-unreadable.ts'
import {publishWithoutStage} from './volumes/v05-publish-without-stage.ts'
import {volumeDirNotMounted} from './volumes/v06-volume-dir-not-mounted.ts'

export const detectors = [
  driverNotRegistered,
  driverSocketDead,
  driverHung,
  kubeletNotSyncing,
  terminatingWithNothingLeft,
  statusIdMismatch,
  madeUpExit,
  phaseContradiction,
  runtimeUnresponsive,
  leakedSandbox,
  runningContainerNobodyOwns,
  duplicateRunning,
  processGone,
  timestampsImpossible,
  takeover,
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
