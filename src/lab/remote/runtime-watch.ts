// What a real runtime does, as a lab's timeline tells it: somebody looks again and again, by a connection of their own that no rule is about.
//
// What came and went between two looks was not there. A call of the kubelet is followed by a look, and so is a list that says something new: what the
// kubelet knows was in the timeline before.
import type {Clock} from '../../base/clock.ts'
import type {CriContainer, CriContainerStatus, CriSandbox} from '../../kubelet/cri.ts'
import {CallFailure, isFailure} from '../../kubelet/port.ts'
import type {CriPort} from '../../kubelet/ports.ts'
import type {ContainerEvent} from '../../timeline/event.ts'
import type {Timeline} from '../../timeline/timeline.ts'

export interface RuntimeWatch {
  /** As they were at the last look. */
  readonly sandboxes: ReadonlyMap<string, CriSandbox>
  readonly containers: ReadonlyMap<string, CriContainer>
  /** What is there now is in the timeline afterwards, unless the runtime does not answer. */
  look(): Promise<void>
  /** Somebody was told this: a look, unless it is known. */
  heed(told: readonly (CriSandbox | CriContainer)[]): Promise<void>
}

export interface WatchOptions {
  readonly port: CriPort
  /** Calls back when something has happened there, and resolves when it will no more. */
  readonly hear: (onEvent: () => void) => Promise<void>
  readonly timeline: Timeline
  /** Of the machine. */
  readonly clock: Clock
  /** Which pods are the lab's: others may have pods there, too. */
  readonly isOurs: (uid: string) => boolean
  readonly signal: AbortSignal
}

/** Between two looks: what lasts no longer may go unseen, of a runtime that does not tell when to look. */
const pauseMs = 20
const pauseHearingMs = 100

/** For a runtime that hangs. */
const patience = {timeoutMs: 10_000}

interface Happening {
  readonly at: number
  readonly event: Omit<ContainerEvent, 'kind' | 'at'>
}

export function startRuntimeWatch({port, hear, timeline, clock, isOurs, signal}: WatchOptions): RuntimeWatch {
  const sandboxes = new Map<string, CriSandbox>()
  const containers = new Map<string, CriContainer>()
  const endsOf = async (container: CriContainer): Promise<CriContainerStatus | undefined> => {
    try {
      return await port.call('ContainerStatus', {containerId: container.id}, patience)
    } catch (error) {
      if (isFailure(error, 'NOT_FOUND')) return undefined
      throw error
    }
  }
  const lookOnce = async () => {
    const listed = {
      sandboxes: (await port.call('ListPodSandbox', {}, patience)).filter(({metadata}) => isOurs(metadata.uid)),
      containers: (await port.call('ListContainers', {}, patience)).filter(({pod}) => isOurs(pod.uid)),
    }
    const ended = listed.containers.filter(({id, state}) => state === 'EXITED' && containers.get(id)?.state !== 'EXITED')
    const ends = new Map((await Promise.all(ended.map(endsOf))).flatMap((status) => (status === undefined ? [] : [[status.id, status]])))
    // One that went meanwhile is as before to the next look.
    const there = listed.containers.filter(({id}) => !ended.some((each) => each.id === id) || ends.has(id))
    const happened: readonly Happening[] = [
      ...listed.sandboxes.flatMap((each) => sandboxCame(each, sandboxes.get(each.id))),
      ...there.flatMap((each) => containerCame(each, containers.get(each.id), ends.get(each.id))),
      ...gone(containers, listed.containers).flatMap(containerWent),
      ...gone(sandboxes, listed.sandboxes).flatMap(sandboxWent),
    ]
    for (const each of gone(containers, listed.containers)) containers.delete(each.id)
    for (const each of gone(sandboxes, listed.sandboxes)) sandboxes.delete(each.id)
    for (const each of listed.sandboxes) sandboxes.set(each.id, each)
    for (const each of there) containers.set(each.id, each)
    for (const {event} of happened.toSorted((a, b) => a.at - b.at)) timeline.container(event)
  }
  const looking = async () => {
    try {
      await lookOnce()
    } catch (error) {
      // It is the kubelet that has to live with a runtime that does not answer.
      if (!(error instanceof CallFailure)) throw error
    }
  }
  let current = Promise.resolve()
  let next: Promise<void> | undefined
  /** One at a time. One that has begun may have missed what made somebody ask. */
  const look = () => {
    next ??= current.then(() => {
      next = undefined
      current = looking()
      return current
    })
    return next
  }
  let hearing = true
  void hear(() => void look()).then(() => {
    hearing = false
  })
  const again = async () => {
    while (!signal.aborted) {
      await look()
      await clock.sleep(hearing ? pauseHearingMs : pauseMs, signal).catch(() => {})
    }
  }
  void again()
  return {
    sandboxes,
    containers,
    look,
    heed: async (told) => {
      if (told.some(({id, state}) => (sandboxes.get(id) ?? containers.get(id))?.state !== state)) await look()
    },
  }
}

/** By no moment that the runtime tells. */
const justNow = Number.POSITIVE_INFINITY

function sandboxCame(sandbox: CriSandbox, before: CriSandbox | undefined): readonly Happening[] {
  return [
    ...(before === undefined ? [{at: sandbox.createdAt, event: ofSandbox(sandbox, 'started')}] : []),
    ...(sandbox.state === 'NOTREADY' && before?.state !== 'NOTREADY' ? [{at: justNow, event: ofSandbox(sandbox, 'exited')}] : []),
  ]
}

function sandboxWent(sandbox: CriSandbox): readonly Happening[] {
  const stopped = sandbox.state === 'READY' ? [{at: justNow, event: ofSandbox(sandbox, 'exited')}] : []
  return [...stopped, {at: justNow, event: ofSandbox(sandbox, 'removed')}]
}

function containerCame(
  container: CriContainer,
  before: CriContainer | undefined,
  end: CriContainerStatus | undefined,
): readonly Happening[] {
  const created = before === undefined ? [{at: container.createdAt, event: ofContainer(container, 'created')}] : []
  if (container.state === 'RUNNING' && before?.state !== 'RUNNING')
    return [...created, {at: justNow, event: ofContainer(container, 'started')}]
  if (end === undefined) return created
  const {startedAt, finishedAt, exitCode, reason} = end
  if (startedAt === 0) return [...created, {at: finishedAt, event: {...ofContainer(container, 'start-failed'), exitCode, reason}}]
  const started = before?.state === 'RUNNING' ? [] : [{at: startedAt, event: ofContainer(container, 'started')}]
  return [...created, ...started, {at: finishedAt, event: {...ofContainer(container, 'exited'), exitCode, reason}}]
}

const containerWent = (container: CriContainer): readonly Happening[] => [{at: justNow, event: ofContainer(container, 'removed')}]

const ofSandbox = ({id, metadata: {namespace, name, uid}}: CriSandbox, what: ContainerEvent['what']): Happening['event'] => ({
  what,
  pod: `${namespace}/${name}`,
  uid,
  id,
})

const ofContainer = ({id, pod, metadata}: CriContainer, what: ContainerEvent['what']): Happening['event'] => ({
  what,
  pod: `${pod.namespace}/${pod.name}`,
  uid: pod.uid,
  container: metadata.name,
  id,
})

function gone<T extends {readonly id: string}>(before: ReadonlyMap<string, T>, now: readonly T[]): readonly T[] {
  const ids = new Set(now.map(({id}) => id))
  return [...before.values()].filter(({id}) => !ids.has(id))
}
