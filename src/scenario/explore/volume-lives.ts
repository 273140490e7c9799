// The timeline by volumes: what is owed to the driver, since when, and what the kubelet did about it. A stage or publish that was done, or whose end nobody knows, is
// to be undone by its inverse; an answer that says that it has failed for good ends the doubt, and nothing but the undoing ends what was done.
import type {BoundClaim} from '../../kubelet/pod.ts'
import {errorClass, goCode} from '../../kubelet/volumes/error-class.ts'
import type {DriverVolume} from '../../lab/drivers/driver-volumes.ts'
import {uniqueVolumeName} from '../../node/layout.ts'
import type {CallEvent, Event} from '../../timeline/event.ts'
import {volumeUsers} from '../volume-users.ts'

export type Inverse = 'NodeUnstageVolume' | 'NodeUnpublishVolume'

export interface Debt {
  readonly inverse: Inverse
  /** Staging path or target. */
  readonly path: string
  /** Of a publish. */
  readonly pod?: string
  readonly begun: number
  /** When it was undone, or when a final answer had it that there is nothing to undo; Infinity: never. */
  ended: number
  readonly tries: CallEvent[]
}

export interface VolumeLife {
  readonly driver: string
  readonly volume: string
  readonly mode: BoundClaim['volumeMode']
  readonly debts: readonly Debt[]
  /** When a final answer ended a doubt. */
  readonly doubtsEnded: readonly number[]
  readonly unstages: readonly CallEvent[]
  /** When the kubelet let go of it. */
  readonly detached: readonly number[]
  /** Since when no pod that uses it is in the API; undefined while one is. */
  readonly unusedSince?: number
  /** What the driver has of it in the end. */
  readonly left?: DriverVolume
}

export interface VolumeRun {
  readonly events: readonly Event[]
  readonly end: number
  readonly claims?: readonly BoundClaim[]
  /** By the drivers' names, in the end. */
  readonly drivers?: ReadonlyMap<string, readonly DriverVolume[]>
}

const paths: Readonly<Record<string, readonly [path: 'stagingTargetPath' | 'targetPath', inverse: Inverse]>> = {
  NodeStageVolume: ['stagingTargetPath', 'NodeUnstageVolume'],
  NodeUnstageVolume: ['stagingTargetPath', 'NodeUnstageVolume'],
  NodePublishVolume: ['targetPath', 'NodeUnpublishVolume'],
  NodeUnpublishVolume: ['targetPath', 'NodeUnpublishVolume'],
}

interface VolumeCall {
  readonly event: CallEvent
  readonly path: string
  readonly inverse: Inverse
}

export function volumeLives({events, end, claims = [], drivers = new Map()}: VolumeRun): readonly VolumeLife[] {
  if (claims.length === 0) return []
  const calls = new Map<string, VolumeCall[]>()
  const detached = new Map<string, number[]>()
  for (const event of events) {
    if (event.kind === 'log' && event.text === 'Volume detached') push(detached, `${event.fields?.uniqueName}`, event.at)
    if (event.kind !== 'call' || event.to !== 'csi') continue
    const [name, inverse] = paths[event.method] ?? []
    if (name === undefined || inverse === undefined) continue
    push(calls, uniqueVolumeName(`${event.request.driver}`, `${event.request.volume}`), {event, path: `${event.request[name]}`, inverse})
  }
  const users = volumeUsers(events, claims)
  return claims.map(({driver, volumeHandle: volume, volumeMode: mode}): VolumeLife => {
    const name = uniqueVolumeName(driver, volume)
    const own = calls.get(name) ?? []
    const left = drivers.get(driver)?.find((each: DriverVolume) => each.handle === volume)
    const unusedSince = lastUse(users, {driver, volume}, events, end)
    return {
      driver,
      volume,
      mode,
      ...debtsOf(own),
      unstages: own.flatMap(({event}) => (event.method === 'NodeUnstageVolume' ? [event] : [])),
      detached: detached.get(name) ?? [],
      ...(unusedSince === undefined ? {} : {unusedSince}),
      ...(left === undefined ? {} : {left}),
    }
  })
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** The last moment at which a pod that uses it went. */
function lastUse(
  users: ReturnType<typeof volumeUsers>,
  of: {readonly driver: string; readonly volume: string},
  events: readonly Event[],
  end: number,
): number | undefined {
  if (users.goneBy(of, end) === undefined) return undefined
  const removals = events.filter((event) => event.kind === 'object' && event.type === 'DELETED').map(({at}) => at)
  return removals.findLast((at) => users.goneBy(of, at - 1) !== at - 1) ?? events[0]?.at ?? end
}

function debtsOf(calls: readonly VolumeCall[]): Pick<VolumeLife, 'debts' | 'doubtsEnded'> {
  const debts: Debt[] = []
  const standing = new Map<string, {readonly debt: Debt; done: boolean}>()
  const doubtsEnded: number[] = []
  for (const {event, path, inverse, isStart} of moments(calls)) {
    const key = `${inverse} ${path}`
    const found = standing.get(key)
    if (isStart) {
      if (event.method === inverse) found?.debt.tries.push(event)
      continue
    }
    const {outcome = '', endedAt = 0, method, pod} = event
    if (method === inverse) {
      if (outcome !== 'OK' || found === undefined) continue
      found.debt.ended = endedAt
      standing.delete(key)
    } else if (outcome === 'OK' || errorClass(goCode(outcome)) === 'uncertain') {
      if (found === undefined) {
        const debt: Debt = {inverse, path, ...(pod === undefined ? {} : {pod}), begun: endedAt, ended: Number.POSITIVE_INFINITY, tries: []}
        debts.push(debt)
        standing.set(key, {debt, done: outcome === 'OK'})
      } else found.done ||= outcome === 'OK'
    } else if (found?.done === false) {
      found.debt.ended = endedAt
      standing.delete(key)
      doubtsEnded.push(endedAt)
    }
  }
  return {debts, doubtsEnded}
}

/** Calls and answers in their order; of one moment the answers first. */
function moments(calls: readonly VolumeCall[]): readonly (VolumeCall & {readonly isStart: boolean})[] {
  return calls
    .flatMap((call) => [
      {...call, isStart: true, at: call.event.at},
      ...(call.event.endedAt === undefined ? [] : [{...call, isStart: false, at: call.event.endedAt}]),
    ])
    .sort((a, b) => a.at - b.at || Number(a.isStart) - Number(b.isStart))
}
