// Every detector, by code.

import {driverNotRegistered} from './c01-driver-not-registered.ts'
import {driverSocketDead} from './c02-driver-socket-dead.ts'
import {driverHung} from './c03-driver-hung.ts'
import type {Detector} from './detector.ts'
import {stageUncertain} from './u01-stage-uncertain.ts'
import {publishUncertain} from './u02-publish-uncertain.ts'
import {deadOrHungMount} from './v09-dead-or-hung-mount.ts'
import {subpathLeftMounted} from './v10-subpath-left-mounted.ts'
import {rawBlockLeft} from './v11-raw-block-left.ts'

export const detectors = [
  driverNotRegistered,
  driverSocketDead,
  driverHung,
  stageUncertain,
  publishUncertain,
  deadOrHungMount,
  subpathLeftMounted,
  rawBlockLeft,
] as const satisfies readonly Detector[]
