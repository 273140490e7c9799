// A CSI call as the log tells of it, in words. At the log's usual level only its end is known.
import {formatDuration} from '../base/duration.ts'
import {formatInstant} from '../base/instant.ts'
import type {CsiCall} from '../kubelet/traces/csi-call.ts'

/** csi_plugin.go: one context for the capability calls and the call itself. */
export const csiTimeoutMs = 120_000

/** 'NodeStageVolume was called at …: DeadlineExceeded at …'; 'NodeStageVolume ended at … with DeadlineExceeded: …'. */
export function callFact({method, startedAt, isBeginKnown, end}: CsiCall): string {
  const began = `${method} was called at ${formatInstant(startedAt)}`
  if (end.state === 'open') return `${began}: the log shows no answer`
  if (isBeginKnown) return `${began}: ${endWord(end)} at ${formatInstant(end.at)}`
  // No call takes longer than that.
  return `${method} ended at ${formatInstant(end.at)} with ${endWord(end)}; the log does not show when it was called, at most ${formatDuration(csiTimeoutMs)} before`
}

/** 'OK', 'DeadlineExceeded'. */
export function endWord(end: Exclude<CsiCall['end'], {state: 'open'}>): string {
  return end.state === 'ok' ? 'OK' : (end.code ?? 'an error without a code')
}
