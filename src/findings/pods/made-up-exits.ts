// Ends of containers that the kubelet made up, as the runtime no longer told how they ended (pkg/kubelet/status, TerminatePod; kubelet_pods.go).
import {oncePer} from '../../base/once-per.ts'
import type {ContainerState, StateFields} from '../../node/pod.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Subject} from '../finding.ts'
import {containerSubject, type PodView, type SeenPod, seenPods} from './pod-views.ts'
import {newestOf, type RuntimeRecord, runtimeRecords} from './runtime-records.ts'

export interface MadeUpExit {
  readonly seen: SeenPod
  readonly container: string
  readonly forms: readonly MadeUpForm[]
  /** What the runtime still has of that container; undefined when it has none, or was not asked. */
  readonly record: RuntimeRecord | undefined
  /** Nobody ever told of a container of that name: of one that ran, the status keeps its id, or the end that was made up for it before. */
  readonly neverRan: boolean
  readonly subject: Subject
}

export interface MadeUpForm {
  readonly source: PodView['source']
  readonly kind: 'success' | 'fallback'
  /** Of the container before the present one. */
  readonly before: boolean
}

/** The worst first. */
export const madeUpExits: (snapshot: Snapshot) => readonly MadeUpExit[] = oncePer((snapshot) =>
  seenPods(snapshot).flatMap((seen) => {
    const states = seen.views.flatMap(({source, pod}) => pod.containers.map((state) => ({source, state})))
    return [...Map.groupBy(states, ({state}) => state.name)].flatMap(([container, own]): MadeUpExit[] => {
      const found = own.flatMap(({source, state}) => formsOf(state).map((form) => ({source, ...form})))
      const forms = found.toSorted((a, b) => Number(a.kind === 'fallback') - Number(b.kind === 'fallback'))
      const [worst] = forms
      if (worst === undefined) return []
      const records = runtimeRecords(snapshot)?.ofPod(seen.uid) ?? []
      const record = recordOf(
        records,
        own.map(({state}) => state),
        worst.before,
      )
      // A success was written over whatever was there, the id too.
      const neverRan = worst.kind === 'fallback' && record === undefined && own.every(({state}) => hasNeverRun(state))
      return [{seen, container, forms, record, neverRan, subject: containerSubject(seen, container)}]
    })
  }),
)

function hasNeverRun({containerId, terminatedId, startedAt, last, restarts = 0}: ContainerState): boolean {
  return [containerId, terminatedId, startedAt, last].every((each) => each === undefined) && restarts === 0
}

/** What the container's own end says, for who compares it with something else. */
export function isMadeUp(state: ContainerState): boolean {
  return formsOf(state).some(({before}) => !before)
}

function formsOf(state: ContainerState): Omit<MadeUpForm, 'source'>[] {
  const own = state.state === 'terminated' ? kindOf({...state, containerId: state.terminatedId}) : undefined
  // Only the state itself was ever written over with a success.
  const last = state.last !== undefined && kindOf(state.last) === 'fallback'
  return [...(own === undefined ? [] : [{kind: own, before: false}]), ...(last ? [{kind: 'fallback', before: true} as const] : [])]
}

/** With an id it is real, or what 1.18 to 1.22 make of a container that was created and never started. */
function kindOf(end: {readonly [Key in keyof StateFields]: StateFields[Key] | undefined}): MadeUpForm['kind'] | undefined {
  if (end.containerId !== undefined || end.startedAt !== undefined || end.finishedAt !== undefined) return undefined
  if (end.exitCode === 0 && end.reason === undefined) return 'success'
  return end.exitCode === 137 && end.reason === 'ContainerStatusUnknown' ? 'fallback' : undefined
}

/** By its id, where the status around the end still has it; of the one before, the newest that is not the present one. */
function recordOf(records: readonly RuntimeRecord[], states: readonly ContainerState[], before: boolean): RuntimeRecord | undefined {
  const names = new Set(states.map(({name}) => name))
  const present = new Set(states.flatMap(({containerId}) => containerId ?? []))
  const meant = (id: string) => (before ? !present.has(id) : present.size === 0 || present.has(id))
  return newestOf(records.filter(({name, container}) => names.has(name) && meant(container.id)))
}
