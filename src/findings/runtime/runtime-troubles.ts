// What is wrong with the runtime's answers: which call hangs, fails or takes long, and how grave that is for the kubelet.
import {oncePer} from '../../base/once-per.ts'
import {known, whole} from '../../node/reading.ts'
import type {CallOutcome, RuntimeAnswers, RuntimeMethod} from '../../node/runtime/answers.ts'
import type {ContainerLook} from '../../node/runtime/container-look.ts'
import type {FailureKind} from '../../wire/rpc-failure.ts'
import type {DetectContext} from '../detector.ts'
import {type Severity, severities} from '../finding.ts'

/** Less silence than that proves a hurry of ours; more time than that for an answer is worth a word. */
export const provenMs = 5000

export type AskedMethod = RuntimeMethod | 'ContainerStatus'

export interface CallTrouble {
  readonly method: AskedMethod
  readonly what: 'silent' | 'unreachable' | 'no service' | 'starting' | 'fails' | 'breaks' | 'slow'
  readonly severity: Severity
  /** How long it took, or was waited for. */
  readonly ms?: number
  readonly why?: string
}

export interface RuntimeTroubles {
  readonly answers: RuntimeAnswers
  /** The gravest first. */
  readonly calls: readonly CallTrouble[]
  /** Calls that were answered in time. */
  readonly answered: readonly RuntimeMethod[]
  /** Containers whose own ContainerStatus hangs while that of others is answered, or takes long. */
  readonly containers: readonly {readonly id: string; readonly ms: number; readonly hangs: boolean}[]
  /** Silence that was not waited for long enough. */
  readonly unproven: readonly string[]
}

/** Undefined when nobody knows how it answers. */
export const runtimeTroubles: (context: DetectContext) => RuntimeTroubles | undefined = oncePer(({snapshot}) => {
  const answers = known(snapshot.readings['runtime.answers'])
  if (answers === undefined) return undefined
  const looks = known(snapshot.readings['runtime.container-status']) ?? []
  const hanging = looks.filter(({outcome}) => isProven(outcome))
  // Without its names a container would be another subject.
  const listed = new Set(known(snapshot.readings['runtime.containers'])?.map(({id}) => id))
  const all = whole(snapshot.readings['runtime.container-status']) ?? []
  // One may be that one's own lock; several, with nobody who is answered, are the runtime's.
  const allHang = all.length > 1 && hanging.length === all.length
  const [longest] = hanging
  const call: CallTrouble[] = allHang
    ? [{method: 'ContainerStatus', what: 'silent', severity: capped('critical', answers), ms: waited(longest?.outcome)}]
    : []
  const calls = [...answers.calls.flatMap(({method, outcome}) => troubleOf(method, outcome, answers) ?? []), ...call]
  return {
    answers,
    calls: calls.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)),
    answered: answers.calls.flatMap(({method, outcome}) => (outcome.state === 'answered' ? [method] : [])),
    containers: [
      ...(allHang ? [] : hanging.map(({id, outcome}) => ({id, ms: waited(outcome), hangs: true}))),
      ...looks.flatMap(slowLook),
    ].filter(({id}) => listed.has(id)),
    unproven: [
      ...answers.calls.flatMap(({method, outcome}) => (isUnproven(outcome) ? [method] : [])),
      ...looks.flatMap(({id, outcome}) => (isUnproven(outcome) ? [`ContainerStatus of ${id}`] : [])),
    ],
  }
})

function slowLook({id, outcome}: ContainerLook) {
  const ms = outcome.state === 'answered' ? (outcome.tookMs ?? 0) : 0
  return ms > provenMs ? [{id, ms, hangs: false}] : []
}

function isProven(outcome: CallOutcome): boolean {
  return outcome.state === 'silent' && outcome.waitedMs >= provenMs
}

function isUnproven(outcome: CallOutcome): boolean {
  if (outcome.state === 'silent') return outcome.waitedMs < provenMs
  // Of that one nobody knows how long it was waited for.
  return outcome.state === 'failed' && outcome.kind === 'silent'
}

function waited(outcome: CallOutcome | undefined): number {
  return outcome?.state === 'silent' ? outcome.waitedMs : 0
}

/** What it means for the kubelet that this call hangs (docs of R01). */
const whenSilent: Readonly<Record<RuntimeMethod, Severity>> = {
  connect: 'critical',
  Version: 'critical',
  ListPodSandbox: 'critical',
  ListContainers: 'critical',
  Status: 'error',
  ListImages: 'warning',
}
/** An error is an answer: whoever asks can go on and ask again. */
const whenFailing: Readonly<Record<RuntimeMethod, Severity>> = {
  connect: 'error',
  Version: 'error',
  ListPodSandbox: 'error',
  ListContainers: 'error',
  Status: 'warning',
  ListImages: 'info',
}

function troubleOf(method: RuntimeMethod, outcome: CallOutcome, answers: RuntimeAnswers): CallTrouble | undefined {
  if (outcome.state === 'answered') {
    const {tookMs: ms = 0} = outcome
    return ms > provenMs ? {method, what: 'slow', severity: 'warning', ms} : undefined
  }
  if (outcome.state === 'silent') {
    if (!isProven(outcome)) return undefined
    return {method, what: 'silent', severity: capped(whenSilent[method], answers), ms: outcome.waitedMs}
  }
  const {kind, code, why} = outcome
  switch (kind) {
    // Not asked, or another code's: what is too large has a finding of its own.
    case 'forbidden':
    case 'too-large':
    case 'silent':
      return undefined
    case 'missing':
    case 'refused':
    case 'not-a-socket':
    case 'not-grpc':
      return isSaid(answers, kind) ? {method, what: 'unreachable', severity: unreachable(kind, answers), why} : undefined
    case 'lost':
      return {method, what: 'breaks', severity: method === 'connect' ? capped('error', answers) : 'warning', why}
    case 'no-service':
      // A runtime may serve its images at another socket.
      if (method !== 'connect' && method !== 'Version') return undefined
      return isSaid(answers, kind) ? {method, what: 'no service', severity: unreachable(kind, answers), why} : undefined
    case 'answered':
      if (/not (?:yet )?initialized|initializing/i.test(why)) return {method, what: 'starting', severity: 'info', why}
      // RESOURCE_EXHAUSTED is what is too large in the server's words; the others speak of us.
      if (code === 'RESOURCE_EXHAUSTED' || code === 'PERMISSION_DENIED' || code === 'UNAUTHENTICATED' || code === 'CANCELLED')
        return undefined
      return {method, what: 'fails', severity: capped(whenFailing[method], answers), why}
  }
}

/** Nobody says that the kubelet uses what was found in a usual place. */
function capped(severity: Severity, {told}: RuntimeAnswers): Severity {
  return severity === 'critical' && !told ? 'error' : severity
}

/** Others than the kubelet name the wrong socket at times, as an old crictl.yaml does. One that refuses was somebody's. */
function unreachable(kind: FailureKind, {source}: RuntimeAnswers): Severity {
  return kind === 'refused' || !namedByUser(source) ? 'critical' : 'warning'
}

export function namedByUser(source: string): boolean {
  return /^(?:--runtime-endpoint|CONTAINER_RUNTIME_ENDPOINT)$|crictl[^/]*\.ya?ml\b/.test(source)
}

/**
 * k3s need not have the runtime that it brings: with --docker, or as a server without an agent. A path that was typed and is not there was
 * mistyped; one that stands in a file was somebody's.
 */
function isSaid({told, source}: RuntimeAnswers, kind: FailureKind): boolean {
  return told && !(kind === 'missing' && /^(?:k3s \(pid|--runtime-endpoint$|CONTAINER_RUNTIME_ENDPOINT$)/.test(source))
}
