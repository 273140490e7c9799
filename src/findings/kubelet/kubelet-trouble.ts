// What is wrong with the kubelet, as it says itself or by its silence.
import {oncePer} from '../../base/once-per.ts'
import type {Failed, Reading} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {DetectContext} from '../detector.ts'
import type {Evidence} from '../finding.ts'
import {failedChecks} from './failed-checks.ts'

/** kubelet.go, syncLoopHealthCheck: twice the resync interval, and 5 minutes at least. */
export const loopMs = 300_000
/** A kubelet that starts reads its directories and asks the API server before it opens its ports. */
export const startMs = 300_000
/** Less silence than that proves a hurry of ours. */
export const answerMs = 5000

export type KubeletTrouble =
  | {readonly kind: 'loop stands'; readonly evidence: readonly Evidence[]}
  | {readonly kind: 'no answer'; readonly pid: number; readonly ageMs: number; readonly why: string; readonly evidence: readonly Evidence[]}

export const kubeletTrouble: (context: DetectContext) => KubeletTrouble | undefined = oncePer(({snapshot}) => {
  const reading = snapshot.readings['kubelet.healthz']
  if (reading.state === 'failed') return silence(snapshot, reading)
  if (reading.state !== 'read' || reading.value.ok) return undefined
  const checks = failedChecks(reading.value)
  // Others that fail are no matter of the loop, and the relist (pleg) is one of its own; here they only go with it.
  if (!checks.includes('syncloop')) return undefined
  return {kind: 'loop stands', evidence: checks.map((name) => ({source: 'kubelet.healthz', fact: `the check ${name} fails`}))}
})

/** Only of a kubelet that is seen to run, whose ports we know, and who has had the time to open them. */
function silence({kubeletProcess, readings, when}: Snapshot, health: Failed): KubeletTrouble | undefined {
  // The port of /healthz can be closed while its own serves, so both must be seen to be.
  const own = readings['kubelet.pods']
  if (!isSilence(health) || !isSilence(own)) return undefined
  const {pid, startedAt, sameNetwork, certain} = kubeletProcess ?? {}
  if (pid === undefined || startedAt === undefined || sameNetwork !== true || certain !== true) return undefined
  const ageMs = when - startedAt
  if (ageMs <= startMs) return undefined
  const evidence = [
    {source: 'kubelet.healthz', fact: health.why},
    {source: 'kubelet.pods', fact: own.why},
  ]
  return {kind: 'no answer', pid, ageMs, why: health.why, evidence}
}

function isSilence(reading: Reading<unknown>): reading is Failed {
  if (reading.state !== 'failed') return false
  const {kind, tookMs = 0} = reading
  return kind === 'refused' || (kind === 'silent' && tookMs >= answerMs)
}
