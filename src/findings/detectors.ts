// Every detector, by code.
import type {Detector} from './detector.ts'
import {stageUncertain} from './u01-stage-uncertain.ts'
import {publishUncertain} from './u02-publish-uncertain.ts'

export const detectors = [stageUncertain, publishUncertain] as const satisfies readonly Detector[]
