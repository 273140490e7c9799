// What is said of a pod's end that cannot all be true: by its phase, its containers, the runtime, the kubelet and the API server. P04.

import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import {type ContainerState, isOver, type Pod} from '../../node/pod.ts'
import {shortId} from '../../node/short-id.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Evidence, Severity, Subject} from '../finding.ts'
import {isMadeUp} from './made-up-exits.ts'
import {containerSubject, type PodView, type SeenPod, statusLagMs} from './pod-views.ts'
import {type RuntimeRecord, type RuntimeRecords, runtimeRecords} from './runtime-records.ts'

export interface Contradiction {
  readonly severity: Severity
  /** 'it is Succeeded although …': the same words whoever says it. */
  readonly what: string
  /** Milliseconds since 1970, when something proves it. */
  readonly since?: number
  readonly evidence: readonly Evidence[]
  /** The container whose end is made up, which explains it. */
  readonly madeUp?: Subject
}

export function contradictionsOf(seen: SeenPod, snapshot: Snapshot): readonly Contradiction[] {
  const records = runtimeRecords(snapshot)
  return [
    ...seen.views.flatMap((view) => failedSuccess(seen, view)),
    ...twoPhases(seen),
    ...(records === undefined ? [] : [...stillRunning(seen, records.ofPod(seen.uid), snapshot.when), ...otherExits(seen, records)]),
  ]
}

/** Whether a pod has succeeded is decided by its regular containers, and every one of them must have. */
function failedSuccess(seen: SeenPod, {source, pod}: PodView): Contradiction[] {
  if (pod.phase !== 'Succeeded') return []
  const own = new Set(pod.ownRestarts)
  return pod.containers.flatMap((each): Contradiction[] => {
    const {name, kind, state, exitCode = 0} = each
    if (kind !== 'regular' || state !== 'terminated' || exitCode === 0 || own.has(name)) return []
    return [
      {
        severity: 'error',
        what: `it is Succeeded although ${name} ended with exit ${exitCode}`,
        evidence: [{source, fact: `phase Succeeded; ${name} terminated, exit ${exitCode}`}],
        ...(isMadeUp(each) && {madeUp: containerSubject(seen, name)}),
      },
    ]
  })
}

function twoPhases(seen: SeenPod): Contradiction[] {
  const [kubelet, api] = seen.views
  if (kubelet === undefined || api === undefined || !isOver(kubelet.pod) || !isOver(api.pod) || kubelet.pod.phase === api.pod.phase)
    return []
  const madeUp = seen.views.flatMap(({pod}) => pod.containers).find(isMadeUp)
  return [
    {
      severity: 'warning',
      what: `it is ${kubelet.pod.phase} by the kubelet and ${api.pod.phase} by the API server`,
      evidence: seen.views.map(({source, pod}) => ({source, fact: `phase ${pod.phase}`})),
      ...(madeUp && {madeUp: containerSubject(seen, madeUp.name)}),
    },
  ]
}

/** A container that is said to have ended, or whose pod is, while its process runs. */
function stillRunning(seen: SeenPod, records: readonly RuntimeRecord[], now: number): Contradiction[] {
  // A static pod that ended and starts again keeps its UID.
  if (seen.views.some(({pod}) => pod.staticUid !== undefined)) return []
  return records.flatMap((record): Contradiction[] => {
    const {createdAt, standing, look, name} = record
    // Only what its own status and its process say: a list may be older.
    if (standing !== 'running' || look?.status === undefined || createdAt === undefined || now - createdAt < statusLagMs) return []
    const found = seen.views.flatMap(({source, pod}) => {
      const state = pod.containers.find((each) => each.kind === 'regular' && each.name === name)
      const standing = isOver(pod) && state !== undefined ? overButRunning(state, pod, record, now) : undefined
      return standing === undefined ? [] : [{source, pod, ...standing}]
    })
    const worst = found.find(({severity}) => severity === 'error') ?? found.find(({severity}) => severity === 'warning') ?? found[0]
    if (worst === undefined) return []
    const {severity, what, since, isMadeUp: madeUp} = worst
    return [
      {
        severity,
        what: `it is ${worst.pod.phase}${what}, and the runtime runs ${name}`,
        ...(since !== undefined && {since}),
        evidence: [
          ...found.map(({source, pod, fact}) => ({source, fact: `phase ${pod.phase}; ${name} is ${fact}`})),
          {source: 'runtime.containers', fact: `${shortId(record.container.id)} is running since ${formatInstant(createdAt)}`},
          {
            source: 'runtime.container-status',
            fact: look.process === undefined ? 'its own status says running' : `its process ${look.pid} runs`,
          },
        ],
        ...(madeUp && {madeUp: containerSubject(seen, name)}),
      },
    ]
  })
}

interface OverButRunning {
  readonly severity: Severity
  readonly what: string
  readonly fact: string
  readonly since?: number
  readonly isMadeUp?: boolean
}

function overButRunning(state: ContainerState, pod: Pod, {container}: RuntimeRecord, now: number): OverButRunning | undefined {
  if (state.state === 'terminated') {
    // Of another container of that name.
    if (state.terminatedId !== undefined && state.terminatedId !== container.id) return undefined
    if (isMadeUp(state)) return {severity: 'error', what: '', fact: 'terminated, which is made up', isMadeUp: true}
    const {finishedAt} = state
    if (finishedAt === undefined || now - finishedAt < statusLagMs) return undefined
    return {severity: 'error', what: '', fact: `terminated at ${formatInstant(finishedAt)}`, since: finishedAt}
  }
  // An eviction or a deadline sets the phase before the containers have had their grace, and nothing tells when that was.
  const due = graceEnd(pod)
  if (due === undefined || now - due < statusLagMs) return {severity: 'info', what: ', perhaps within its grace', fact: state.state}
  return {severity: 'warning', what: ` and its grace ended ${formatDuration(now - due)} ago`, fact: state.state, since: due}
}

/** The API server gives a pod no grace that has ended when it is deleted: its containers still have that of the pod from when they were stopped. */
function graceEnd({deletedAt, graceMs = 0, ownGraceMs = 0}: Pod): number | undefined {
  return deletedAt === undefined ? undefined : deletedAt + Math.max(0, ownGraceMs - graceMs)
}

/** A container's end as the kubelet read it, and as the runtime has it: of the very same container. */
function otherExits({views}: SeenPod, records: RuntimeRecords): Contradiction[] {
  return views.flatMap(({source, pod}) =>
    pod.containers.flatMap((state) => {
      const ends = [
        ...(state.state === 'terminated' ? [{...state, containerId: state.terminatedId}] : []),
        ...(state.last === undefined ? [] : [state.last]),
      ]
      return ends.flatMap(({containerId: id, exitCode, finishedAt}): Contradiction[] => {
        const real = id === undefined ? undefined : records.byId(id)?.exitCode
        if (id === undefined || exitCode === undefined || real === undefined || real === exitCode || finishedAt === undefined) return []
        return [
          {
            severity: 'error',
            what: `${state.name} ended with exit ${exitCode} by its status and with exit ${real} by the runtime, which still has the same container`,
            since: finishedAt,
            evidence: [
              {source, fact: `${state.name} ${shortId(id)} terminated, exit ${exitCode}`},
              {source: 'runtime.container-status', fact: `${shortId(id)} exited, exit ${real}`},
            ],
          },
        ]
      })
    }),
  )
}
