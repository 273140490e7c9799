// The pod lifecycle event generator: lists the runtime each second and tells what has changed. Upstream: pleg/generic.go
import type {Clock} from '../../base/clock.ts'
import type {CriContainerState, CriSandboxState} from '../cri.ts'
import type {KubeletPorts} from '../ports.ts'
import type {RemoteRuntime} from '../runtime/remote-runtime.ts'
import type {RuntimePod} from '../runtime/runtime-pod.ts'
import {getPodStatus} from '../runtime/runtime-pod-status.ts'
import {type RuntimePods, runtimePodOf} from '../runtime/runtime-pods.ts'
import type {PodCache} from './pod-cache.ts'

export type PlegState = 'running' | 'exited' | 'unknown' | 'non-existent'
export type PlegEventType = 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved' | 'ContainerChanged'

export interface PlegEvent {
  readonly uid: string
  readonly type: PlegEventType
  /** Of a container or a sandbox. */
  readonly id: string
}

export interface Pleg {
  /** One look at the runtime. */
  relist(): Promise<void>
  /** One look at a single pod of it. */
  relistPod(uid: string): Promise<void>
  /** When the runtime was last listed, in milliseconds since 1970. */
  relistedAt(): number | undefined
  /** Why nothing must rely on it now; undefined when it is healthy. */
  unhealthy(): string | undefined
}

export interface PlegOptions {
  readonly clock: Clock
  readonly runtime: RemoteRuntime
  readonly getPods: () => Promise<RuntimePods>
  readonly cache: PodCache
  /** @returns false when the channel is full */
  readonly send: (event: PlegEvent) => boolean
  readonly log: KubeletPorts['log']
}

const relistThreshold = 180_000

/** CREATED is told apart from UNKNOWN nowhere. A sandbox is taken for a container. */
export const plegStateOf = (state: CriContainerState | CriSandboxState): PlegState =>
  state === 'RUNNING' || state === 'READY' ? 'running' : state === 'EXITED' || state === 'NOTREADY' ? 'exited' : 'unknown'

export function generateEvents(uid: string, id: string, before: PlegState, now: PlegState): PlegEvent[] {
  if (before === now) return []
  const types: Record<PlegState, readonly PlegEventType[]> = {
    running: ['ContainerStarted'],
    exited: ['ContainerDied'],
    unknown: ['ContainerChanged'],
    // That one which had exited has died was told before.
    'non-existent': before === 'exited' ? ['ContainerRemoved'] : ['ContainerDied', 'ContainerRemoved'],
  }
  return types[now].map((type) => ({uid, type, id}))
}

export function genericPleg({clock, runtime, getPods, cache, send, log}: PlegOptions): Pleg {
  /** As they were when their events were last told. */
  const records = new Map<string, RuntimePod>()
  let seen: RuntimePods | undefined
  let toReinspect = new Set<string>()
  let relistedAt: number | undefined

  const updateCache = async (uid: string, pod: RuntimePod | undefined, at: number): Promise<boolean> => {
    if (pod === undefined) {
      cache.delete(uid)
      return true
    }
    try {
      cache.set(uid, {status: await getPodStatus(runtime, pod)}, at)
      return true
    } catch (error) {
      cache.set(uid, {error}, at)
      return false
    }
  }

  const reconcile = async (uid: string, current: RuntimePod | undefined, at: number): Promise<boolean> => {
    const events = eventsOf(uid, records.get(uid), current)
    if (events.length === 0 && !toReinspect.has(uid)) return true
    // What failed keeps its old record, so that the next relist finds the same events again.
    if (!(await updateCache(uid, current, at))) return false
    if (current === undefined) records.delete(uid)
    else records.set(uid, current)
    for (const event of events) {
      // Nobody relies on it.
      if (event.type === 'ContainerChanged') continue
      if (!send(event)) log({text: 'event channel is full, discard this relist() cycle event'})
    }
    return true
  }

  return {
    relist: async () => {
      const at = clock.now()
      let pods: RuntimePods
      try {
        pods = await getPods()
      } catch (error) {
        log({text: 'GenericPLEG: Unable to retrieve pods', fields: {err: String(error)}})
        return
      }
      relistedAt = at
      if (pods !== seen || toReinspect.size > 0) {
        const failed = new Set<string>()
        for (const uid of new Set([...records.keys(), ...pods.keys()])) {
          if (!(await reconcile(uid, pods.get(uid), at))) failed.add(uid)
        }
        seen = pods
        toReinspect = failed
      }
      // After the pods: whoever waits for this time must find them.
      cache.updateTime(at)
    },
    relistPod: async (uid) => {
      // Later than the sync that asked for it, though it may be within the same millisecond.
      const at = clock.now() + 0.5
      const pod = await runtimePodOf(runtime, uid)
      // One that is gone is the next relist's business.
      if (pod === undefined) return
      if (await reconcile(uid, pod, at)) toReinspect.delete(uid)
      else toReinspect.add(uid)
      // It may have been as it was before: whoever waits is told that, too.
      cache.setObservedTime(uid, at)
    },
    relistedAt: () => relistedAt,
    unhealthy: () => {
      if (relistedAt === undefined) return 'pleg has yet to be successful'
      const elapsed = clock.now() - relistedAt
      return elapsed > relistThreshold ? `pleg was last seen active ${elapsed / 1000}s ago; threshold is 3m0s` : undefined
    },
  }
}

function eventsOf(uid: string, before: RuntimePod | undefined, now: RuntimePod | undefined): PlegEvent[] {
  // Of most pods the lists hold the very same objects as before.
  if (
    before !== undefined &&
    now !== undefined &&
    sameThings(before.containers, now.containers) &&
    sameThings(before.sandboxes, now.sandboxes)
  ) {
    return []
  }
  const old = statesOf(before)
  const current = statesOf(now)
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((id) =>
    generateEvents(uid, id, old.get(id) ?? 'non-existent', current.get(id) ?? 'non-existent'),
  )
}

const sameThings = (a: readonly object[], b: readonly object[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index])

const statesOf = (pod: RuntimePod | undefined): Map<string, PlegState> =>
  new Map([...(pod?.containers ?? []), ...(pod?.sandboxes ?? [])].map(({id, state}) => [id, plegStateOf(state)]))
