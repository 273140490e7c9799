// Of each answer that a driver gave to the kubelet: its class, which call is owed since, when it is due, and whether it came. After CSI (NodeStageVolume and
// NodePublishVolume: the only way to cancel them is to issue their inverse) and csi_client.go, isFinalError.
import type {BoundClaim} from '../kubelet/pod.ts'
import {errorClass, goCode} from '../kubelet/volumes/error-class.ts'
import {uniqueVolumeName} from '../node/layout.ts'
import type {CallEvent, Event} from '../timeline/event.ts'
import {volumeUse} from './volume-use.ts'

export type Inverse = 'NodeUnstageVolume' | 'NodeUnpublishVolume'

/**
 * `done`: OK. `final`: it has failed and left nothing behind. `uncertain`: the driver may have done it or may still do it. `transient`: an undoing that has
 * failed, whatever the code: it is tried again.
 */
export type AnswerClass = 'done' | 'final' | 'uncertain' | 'transient'

export interface VolumeAnswer {
  /** When it was given; milliseconds, as in the events. */
  readonly at: number
  /** The event's. */
  readonly call: number
  readonly method: string
  readonly driver: string
  readonly volume: string
  readonly pod?: string
  readonly outcome: string
  readonly class: AnswerClass
  readonly owed?: OwedCall
}

export interface OwedCall {
  readonly method: Inverse
  /** The staging path or the target. */
  readonly path: string
  /** The answer that left it owed: this one, or one before it. */
  readonly since: number
  /** Since when no pod uses the volume, when it came or the run ended; absent while one does. */
  readonly dueAt?: number
  /** When it was called, with whatever success; absent when it had not been by the end of the run. */
  readonly cameAt?: number
  /** When the kubelet let go of the volume without it: it never comes. */
  readonly letGoAt?: number
  /** The end of the run, where it was due and had not come. */
  readonly openUntil?: number
}

/** @param end of the run */
export function owedCalls(events: readonly Event[], claims: readonly BoundClaim[], end: number): readonly VolumeAnswer[] {
  const calls = events.flatMap((event) => (event.kind === 'call' ? (volumeCall(event) ?? []) : []))
  const use = volumeUse(events, claims)
  const detached = detachments(events)
  const undoing = new Map<string, VolumeCall[]>()
  for (const call of calls) {
    if (call.method !== call.inverse) continue
    const same = undoing.get(debtOf(call))
    if (same === undefined) undoing.set(debtOf(call), [call])
    else same.push(call)
  }
  /** By what is to be undone: when an answer first left it so. */
  const standing = new Map<string, number>()
  return calls
    .filter(isAnswered)
    .sort((a, b) => a.endedAt - b.endedAt)
    .map((call): VolumeAnswer => {
      const {id, method, driver, volume, path, pod, outcome, endedAt, inverse} = call
      const kind = classOf(call)
      const debt = debtOf(call)
      if (kind === 'done' && method === inverse) standing.delete(debt)
      else if (kind === 'done' || kind === 'uncertain') standing.set(debt, standing.get(debt) ?? endedAt)
      else if (kind === 'transient') standing.set(debt, standing.get(debt) ?? call.at)
      const since = standing.get(debt)
      const answer = {at: endedAt, call: id, method, driver, volume, ...(pod === undefined ? {} : {pod}), outcome, class: kind}
      if (since === undefined) return answer
      const came = undoing.get(debt)?.find((other) => other.id > id && other.at >= endedAt)
      const dueAt = use.unusedSince(inverse === 'NodeUnstageVolume' ? {driver, volume} : {pod: pod ?? ''}, came?.at ?? end, endedAt)
      const owed = {method: inverse, path, since, ...(dueAt === undefined ? {} : {dueAt})}
      if (came !== undefined) return {...answer, owed: {...owed, cameAt: came.at}}
      const letGoAt = detached.get(uniqueVolumeName(driver, volume))?.find((at) => at >= endedAt)
      return {...answer, owed: {...owed, ...(letGoAt === undefined ? {} : {letGoAt}), ...(dueAt === undefined ? {} : {openUntil: end})}}
    })
}

/** By the volumes' unique names: when the kubelet let go of them. */
function detachments(events: readonly Event[]): ReadonlyMap<string, readonly number[]> {
  const logged = events.flatMap((event) => (event.kind === 'log' && event.text === 'Volume detached' ? [event] : []))
  return new Map([...Map.groupBy(logged, ({fields}) => `${fields?.uniqueName}`)].map(([name, lines]) => [name, lines.map(({at}) => at)]))
}

interface VolumeCall extends CallEvent {
  readonly driver: string
  readonly volume: string
  readonly path: string
  readonly inverse: Inverse
}

/** Which path it is about, and which call undoes it. */
const about: Readonly<Record<string, readonly [path: 'stagingTargetPath' | 'targetPath', inverse: Inverse]>> = {
  NodeStageVolume: ['stagingTargetPath', 'NodeUnstageVolume'],
  NodeUnstageVolume: ['stagingTargetPath', 'NodeUnstageVolume'],
  NodePublishVolume: ['targetPath', 'NodeUnpublishVolume'],
  NodeUnpublishVolume: ['targetPath', 'NodeUnpublishVolume'],
}

function volumeCall(event: CallEvent): VolumeCall | undefined {
  const [name, inverse] = about[event.method] ?? []
  if (event.to !== 'csi' || name === undefined || inverse === undefined) return undefined
  const {driver, volume, [name]: path} = event.request
  return {...event, driver: `${driver}`, volume: `${volume}`, path: `${path}`, inverse}
}

type Answered = VolumeCall & {readonly outcome: string; readonly endedAt: number}

const isAnswered = (call: VolumeCall): call is Answered => call.outcome !== undefined && call.endedAt !== undefined

const debtOf = ({inverse, driver, volume, path}: VolumeCall): string => `${inverse} ${driver} ${volume} ${path}`

function classOf({method, inverse, outcome}: Answered): AnswerClass {
  if (outcome === 'OK') return 'done'
  return method === inverse ? 'transient' : errorClass(goCode(outcome))
}
