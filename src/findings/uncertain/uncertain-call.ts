// A stage or publish whose end nobody knows: what is owed for it, and whether the kubelet will send it.
import type {Profile} from '../../kubelet/profiles.ts'
import type {CsiCall, CsiMethod} from '../../kubelet/traces/csi-call.ts'
import {callsAbout} from '../../kubelet/traces/csi-calls.ts'
import type {Trace} from '../../kubelet/traces/trace.ts'
import {errorClass} from '../../kubelet/volumes/error-class.ts'
import {csiTimeoutMs} from '../call-words.ts'
import type {Severity} from '../finding.ts'
import {letGoAt} from './let-go.ts'

/** The longest that the kubelet pauses between two tries: 2 min 2 s (exponentialbackoff). */
export const longestBackOffMs = 122_000
/** The timeout and what it takes to notice it. Younger operations may still be running. */
export const operationGraceMs = 125_000
/** exponentialbackoff: 2 min 2 s at most between two tries, and the call's own time. */
const undoGraceMs = longestBackOffMs + csiTimeoutMs

export interface CallQuestion {
  readonly method: 'NodeStageVolume' | 'NodePublishVolume'
  readonly driver: string | undefined
  readonly handle: string | undefined
  /** The staging or target path, absolute; undefined when nothing says it. */
  readonly path: string | undefined
  /** Of a publish. */
  readonly podUid: string | undefined
  readonly trace: Trace
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
  /** `running`: it may still be answered. `unknown`: nothing says how it ended. `owed`: the kubelet will undo it. Else why it will not. */
  readonly undo: 'running' | 'unknown' | 'owed' | 'never-sent' | 'restarted' | 'let-go' | 'overdue'
  /** When the kubelet let go of the volume without the call that undoes it. */
  readonly letGo?: number
  /** Whether this kubelet remembers a call that timed out, and undoes it later. */
  readonly remembers: boolean
}

const inverses = {NodeStageVolume: 'NodeUnstageVolume', NodePublishVolume: 'NodeUnpublishVolume'} as const satisfies Partial<
  Record<CsiMethod, CsiMethod>
>

/**
 * Undefined when nothing is uncertain: the call was answered for good, or its undoing has begun.
 * Only a failure that the log shows makes more than an info of it, or a restart: what the log lacks may have scrolled away.
 */
export function callStanding(question: CallQuestion): CallStanding | undefined {
  const {method, trace, now, wanted} = question
  const remembers = question.profile.switches.has('uncertain-mounts')
  const calls = callsAbout(trace.calls, question)
  const call = calls.findLast((each) => each.method === method)
  const from = call?.startedAt ?? 0
  if (calls.some((each) => each.method === inverses[method] && each.startedAt >= from)) return undefined
  if (call === undefined) return silentStanding(question, remembers)
  const final = call.end.state === 'failed' && errorClass(call.end.code) === 'final'
  // No pod of the volume is published before it is staged: a publish that began later tells how the stage ended.
  const proven =
    method === 'NodeStageVolume' && callsAbout(trace.calls, {...question, path: undefined}).some((each) => isLaterPublish(each, call))
  const restart = trace.starts.findLast((start) => start > call.startedAt)
  // One that undoes a publish of the volume has found it on the disk, and comes to the stage next.
  const restarted =
    restart !== undefined && !callsAbout(trace.calls, {...question, path: undefined}).some((each) => isUnpublish(each, restart))
  // Nothing leads a kubelet that started since back to the call, unless a pod wants the volume (kubernetes/kubernetes#85476).
  if (restarted && !wanted && !final) return {severity: 'error', call, undo: 'restarted', remembers}
  if (final || proven || call.end.state === 'ok') return undefined
  if (call.end.state === 'open') {
    // Nobody wants it, and the call is over by now: whether something is left the disk tells (V04, V11).
    if (!wanted && now - call.startedAt >= operationGraceMs) return undefined
    return {severity: 'info', call, undo: now - call.startedAt < operationGraceMs ? 'running' : 'unknown', remembers}
  }
  if (!remembers) return {severity: 'error', call, undo: 'never-sent', remembers}
  const letGo = method === 'NodeStageVolume' && !wanted ? letGoAt(trace, call) : undefined
  if (letGo !== undefined) return {severity: 'error', call, undo: 'let-go', remembers, letGo}
  // While a pod wants the volume the kubelet repeats the call; it undoes it after that.
  const due = call.end.at + undoGraceMs
  const overdue = !wanted && now > due && (trace.until ?? 0) > due
  return overdue ? {severity: 'error', call, undo: 'overdue', remembers} : {severity: 'warning', call, undo: 'owed', remembers}
}

function isUnpublish({method, startedAt}: CsiCall, since: number): boolean {
  return method === 'NodeUnpublishVolume' && startedAt >= since
}

function isLaterPublish(each: CsiCall, stage: CsiCall): boolean {
  if (each.method !== 'NodePublishVolume' || each.handle !== stage.handle || each.startedAt < stage.startedAt) return false
  return each.driver === undefined || stage.driver === undefined || each.driver === stage.driver
}

/** The directories alone: a stage or publish was begun, nobody says when, nor whether a final error follows each time. */
function silentStanding({now, wanted, notBefore}: CallQuestion, remembers: boolean): CallStanding | undefined {
  if (!wanted) return undefined
  const young = notBefore !== undefined && now - notBefore < operationGraceMs
  return {severity: 'info', call: undefined, undo: young ? 'running' : 'unknown', remembers}
}
