// A stage or publish whose end nobody knows: what is owed for it, and whether the kubelet will send it.

import type {Profile} from '../kubelet/profiles.ts'
import type {CsiCall, CsiMethod} from '../kubelet/volumes/csi-calls.ts'
import {errorClass} from '../kubelet/volumes/error-class.ts'
import type {Severity} from './finding.ts'

/** csi_plugin.go: one context for the capability calls and the call itself. */
export const csiTimeoutMs = 120_000
/** The timeout and what it takes to notice it. Younger operations may still be running. */
export const operationGraceMs = 125_000
/** exponentialbackoff: 2 min 2 s at most between two tries, and the call's own time. */
const undoGraceMs = 122_000 + csiTimeoutMs

export interface CallQuestion {
  readonly method: 'NodeStageVolume' | 'NodePublishVolume'
  /** Those of the staging or target path, in their order. */
  readonly calls: readonly CsiCall[]
  /** Milliseconds since 1970 of each start of the kubelet that the log shows. */
  readonly starts: readonly number[]
  readonly profile: Profile
  readonly now: number
  /** A pod at the kubelet or the API server still wants the volume. */
  readonly wanted: boolean
  /** Without the log: no attempt can have begun before this moment; undefined when nothing says so. */
  readonly notBefore: number | undefined
}

export interface CallStanding {
  readonly severity: Severity
  /** The call as the log shows it; undefined when the log is silent. */
  readonly call: CsiCall | undefined
  /** `running`: it may still be answered. `owed`: the kubelet will undo it. Else why it will not. */
  readonly undo: 'running' | 'owed' | 'never-sent' | 'restarted' | 'overdue'
  /** Whether this kubelet remembers a call that timed out, and undoes it later. */
  readonly remembers: boolean
}

const inverses = {NodeStageVolume: 'NodeUnstageVolume', NodePublishVolume: 'NodeUnpublishVolume'} as const satisfies Partial<
  Record<CsiMethod, CsiMethod>
>

/** Undefined when nothing is uncertain: the call was answered for good, or undone. */
export function callStanding(question: CallQuestion): CallStanding | undefined {
  const {method, calls, starts, now, wanted} = question
  const remembers = question.profile.switches.has('uncertain-mounts')
  const call = calls.findLast((each) => each.method === method)
  if (call === undefined) return silentStanding(question, remembers)
  const undone = calls.some((each) => each.method === inverses[method] && each.startedAt >= call.startedAt && each.end.state === 'ok')
  if (undone) return undefined
  const final = call.end.state === 'failed' && errorClass(call.end.code) === 'final'
  const restarted = starts.some((start) => start > call.startedAt)
  // Nothing leads a kubelet that started since back to the call, unless a pod wants the volume (kubernetes/kubernetes#85476).
  if (restarted && !wanted && !final) return {severity: 'error', call, undo: 'restarted', remembers}
  if (final || call.end.state === 'ok') return undefined
  if (call.end.state === 'open' && now - call.startedAt < operationGraceMs) return {severity: 'info', call, undo: 'running', remembers}
  if (!remembers) return {severity: 'error', call, undo: 'never-sent', remembers}
  // While a pod wants the volume the kubelet repeats the call; it undoes it after that.
  const overdue = !wanted && call.end.state === 'failed' && now - call.end.at > undoGraceMs
  return overdue ? {severity: 'error', call, undo: 'overdue', remembers} : {severity: 'warning', call, undo: 'owed', remembers}
}

/** The directories alone: a stage or publish was begun, nobody says when. */
function silentStanding({now, wanted, notBefore}: CallQuestion, remembers: boolean): CallStanding | undefined {
  const call = undefined
  if (!wanted) return undefined
  if (notBefore !== undefined && now - notBefore < operationGraceMs) return {severity: 'info', call, undo: 'running', remembers}
  return remembers ? {severity: 'warning', call, undo: 'owed', remembers} : {severity: 'error', call, undo: 'never-sent', remembers}
}
