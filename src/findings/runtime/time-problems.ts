// Moments that cannot be, subject by subject: of containers, sandboxes, pods and the boot.
import {podLabels} from '../../node/cri-selection.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {ContainerState, type PodSandbox} from '../../wire/gen/cri_pb.ts'
import type {Evidence, Severity, Subject} from '../finding.ts'
import {uidOfSandbox} from '../pods/pod-presence.ts'
import {listedSubject, nameEvidence} from './container-subject.ts'
import {isUnset, momentText, whyImpossible} from './impossible-time.ts'
import {type Attempt, type Inversion, inversionsOf} from './time-order.ts'

export interface TimeProblems {
  readonly subject: Subject
  readonly severity: Severity
  /** Half sentences: 'its createdAt is 0, as when nobody set it'. */
  readonly problems: readonly string[]
  readonly evidence: readonly Evidence[]
  /** The kubelet goes by the time, and takes the wrong one for the newest. */
  readonly wrongNewest?: {readonly id: string}
}

interface Problem {
  readonly subject: Subject
  readonly what: string
  readonly evidence: Evidence
  readonly wrongNewest?: {readonly id: string}
}

/** One of each subject. */
export function timeProblems(snapshot: Snapshot): TimeProblems[] {
  const all = [...sandboxProblems(snapshot), ...podProblems(snapshot), ...containerProblems(snapshot), ...bootProblems(snapshot)]
  return [...Map.groupBy(all, ({subject}) => JSON.stringify(subject)).values()].flatMap((problems): TimeProblems[] => {
    const [first] = problems
    const inverted = problems.find(({wrongNewest}) => wrongNewest !== undefined)?.wrongNewest
    if (first === undefined) return []
    const {subject} = first
    return [
      {
        subject,
        severity: inverted === undefined ? 'warning' : 'error',
        problems: [...new Set(problems.map(({what}) => what))],
        evidence: [...problems.map(({evidence}) => evidence), ...(subject.kind === 'Container' ? nameEvidence(subject) : [])],
        ...(inverted && {wrongNewest: inverted}),
      },
    ]
  })
}

function sandboxProblems(snapshot: Snapshot): Problem[] {
  const source = 'runtime.sandboxes'
  const reading = snapshot.readings[source]
  const values = (known(reading) ?? []).flatMap((sandbox): Problem[] => {
    const why = whyImpossible(sandbox.createdAt, nowOf(snapshot))
    if (why === undefined) return []
    const evidence = {source, fact: `createdAt of sandbox ${sandbox.id} is ${sandbox.createdAt}`}
    return [{subject: sandboxSubject(sandbox), what: `createdAt of its sandbox ${why}`, evidence}]
  })
  const pods = Map.groupBy(whole(reading) ?? [], uidOfSandbox)
  const orders = [...pods.values()].flatMap((sandboxes) => {
    const [any] = sandboxes
    if (any === undefined || uidOfSandbox(any) === '') return []
    return inversionsOf(sandboxes.map(attemptOf)).map((inversion): Problem => {
      const {what, fact} = wordsOf(inversion, 'sandbox')
      const wrong = inversion.newest ? {wrongNewest: {id: inversion.later.id}} : {}
      return {subject: sandboxSubject(any), what, evidence: {source, fact}, ...wrong}
    })
  })
  return [...values, ...orders]
}

/** Its pod, as its UID, its namespace and its name are the same for whoever tells of it. */
function sandboxSubject(sandbox: PodSandbox): Subject {
  const {id, metadata, labels} = sandbox
  const uid = uidOfSandbox(sandbox)
  if (uid === '') return {kind: 'Pod', id}
  const namespace = metadata?.namespace || labels[podLabels.namespace]
  const name = metadata?.name || labels[podLabels.name]
  return {kind: 'Pod', ...(namespace && {namespace}), ...(name && {name}), uid}
}

function podProblems({readings}: Snapshot): Problem[] {
  return (['kubelet.pods', 'api.pods'] as const).flatMap((source) =>
    (known(readings[source]) ?? []).flatMap(({namespace, name, uid, createdAt, deletedAt}): Problem[] => {
      if (createdAt === undefined || deletedAt === undefined || deletedAt >= createdAt) return []
      const fact = `deletionTimestamp ${momentText(deletedAt)} of ${namespace}/${name}, creationTimestamp ${momentText(createdAt)}`
      const subject: Subject = {kind: 'Pod', ...(namespace && {namespace}), name, uid}
      return [{subject, what: 'its deletion is due before its creation', evidence: {source, fact}}]
    }),
  )
}

function containerProblems(snapshot: Snapshot): Problem[] {
  const containers = 'runtime.containers'
  const listed = (known(snapshot.readings[containers]) ?? []).flatMap(({id, createdAt}) =>
    problemOf(snapshot, {source: containers, id, field: 'createdAt', value: createdAt}),
  )
  const source = 'runtime.container-status'
  const told = (known(snapshot.readings[source]) ?? []).flatMap(({id, status}): Problem[] => {
    if (status === undefined) return []
    const {state, createdAt, startedAt, finishedAt} = status
    const running = state === ContainerState.CONTAINER_RUNNING
    // One that never started has no start, and one that has not ended no end; containerd 1.6 says 1970 for the former.
    const hasStart = !isUnset(startedAt) || running
    const hasEnd = !isUnset(finishedAt) || state === ContainerState.CONTAINER_EXITED
    return [
      ...problemOf(snapshot, {source, id, field: 'createdAt', value: createdAt}),
      ...(hasStart ? problemOf(snapshot, {source, id, field: 'startedAt', value: startedAt}) : []),
      ...(hasEnd ? problemOf(snapshot, {source, id, field: 'finishedAt', value: finishedAt}) : []),
    ]
  })
  // The attempts of a new sandbox may begin anew.
  const names = Map.groupBy(whole(snapshot.readings[containers]) ?? [], ({podSandboxId, labels, metadata}) =>
    JSON.stringify([podSandboxId, labels[podLabels.uid], metadata?.name]),
  )
  const orders = [...names.values()].flatMap((same) =>
    inversionsOf(same.map(attemptOf)).map((inversion): Problem => {
      const {what, fact} = wordsOf(inversion, 'container')
      return {subject: listedSubject(snapshot, inversion.earlier.id), what, evidence: {source: containers, fact}}
    }),
  )
  return [...listed, ...told, ...orders]
}

interface Told {
  readonly source: string
  readonly id: string
  readonly field: string
  readonly value: bigint
}

function problemOf(snapshot: Snapshot, {source, id, field, value}: Told): Problem[] {
  const why = whyImpossible(value, nowOf(snapshot))
  if (why === undefined) return []
  return [{subject: listedSubject(snapshot, id), what: `its ${field} ${why}`, evidence: {source, fact: `${field} of ${id} is ${value}`}}]
}

/** The node's own clock: --now may be any moment. */
function nowOf({when, takenAt = when}: Snapshot): number {
  return takenAt
}

function attemptOf({id, metadata, createdAt}: {id: string; metadata?: {attempt: number} | undefined; createdAt: bigint}): Attempt {
  return {id, attempt: metadata?.attempt ?? 0, createdAt}
}

function wordsOf({later, earlier}: Inversion, what: string): {what: string; fact: string} {
  return {
    what: `${what} attempt ${earlier.attempt} is older than attempt ${later.attempt}`,
    fact: `attempt ${earlier.attempt} (${earlier.id}) has createdAt ${earlier.createdAt}, attempt ${later.attempt} (${later.id}) ${later.createdAt}`,
  }
}

/** Nothing that runs a kubelet has been up for so long. */
const earliestBoot = Date.UTC(2020, 0, 1)

function bootProblems({readings}: Snapshot): Problem[] {
  const at = known(readings['kernel.boot'])?.at
  if (at === undefined || at >= earliestBoot) return []
  const evidence = {source: 'kernel.boot', fact: `btime is ${momentText(at)}`}
  return [{subject: {kind: 'Path', path: '/proc/stat'}, what: `the boot of the node is dated ${momentText(at)}`, evidence}]
}
