// ContainerStatus of each container, by its id and under a deadline of its own: one that hangs hides no other.
import type {Clock} from '../../base/clock.ts'
import type {CriClient} from '../../wire/cri-client.ts'
import {type Container, ContainerState, type ContainerStatusResponse} from '../../wire/gen/cri_pb.ts'
import {RpcFailure} from '../../wire/rpc-failure.ts'
import {podLabels} from '../cri-selection.ts'
import {type Reading, read} from '../reading.ts'
import {outcomeOf} from './answers.ts'
import type {ContainerLook, ProcessLook} from './container-look.ts'
import {parseInfo, verboseInfo} from './verbose-info.ts'

/** Each may hang, and the kubelet itself asks for one after the other. */
const atOnce = 8
/** A runtime writes down an exit some milliseconds after it. */
const exitMs = 250
/** More would cost a large node more than they tell. */
const most = 500

export interface AskOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds for each, at most. */
  readonly deadlineMs: number
  /** Milliseconds since 1970: by then all have ended. */
  readonly until: number
  /** Undefined when /proc is not the node's. */
  readonly lookAtProcess?: (pid: number) => ProcessLook | undefined
}

/** @param containers those that matter most first. */
export async function askContainers(
  client: Pick<CriClient, 'containerStatus'>,
  containers: readonly Pick<Container, 'id'>[],
  options: AskOptions,
): Promise<Reading<readonly ContainerLook[]>> {
  const {clock, signal, until} = options
  const asked = containers.slice(0, most)
  const looks: ContainerLook[] = []
  const queue = asked.values()
  const work = async () => {
    for (const {id} of queue) {
      if (clock.now() >= until) return
      looks.push(await askContainer(client, id, options))
      signal.throwIfAborted()
    }
  }
  await Promise.all(Array.from({length: atOnce}, work))
  const order = new Map(asked.map(({id}, index) => [id, index]))
  const sorted = looks.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
  const missing = containers.length - looks.length
  return read(sorted, missing === 0 ? undefined : `${missing} of ${containers.length} containers were not asked for their status`)
}

async function askContainer(client: Pick<CriClient, 'containerStatus'>, id: string, options: AskOptions): Promise<ContainerLook> {
  const {clock, signal, until} = options
  const first = await askOnce(client, id, options)
  if (!isDoubtful(first) || until - clock.now() <= exitMs) return first
  // It may have ended between the two looks: then it is no longer called running.
  await clock.sleep(exitMs, signal)
  return askOnce(client, id, options)
}

async function askOnce(client: Pick<CriClient, 'containerStatus'>, id: string, options: AskOptions): Promise<ContainerLook> {
  const {clock, signal, until} = options
  const started = clock.now()
  const deadlineMs = Math.max(0, Math.min(options.deadlineMs, until - started))
  try {
    return lookOf(id, await client.containerStatus(id, {signal, deadlineMs}), clock.now() - started, options)
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    return {id, outcome: outcomeOf(error, clock.now() - started)}
  }
}

function lookOf(id: string, {status, info}: ContainerStatusResponse, tookMs: number, {lookAtProcess}: AskOptions): ContainerLook {
  const told = verboseInfo(parseInfo(info.info))
  const look: ContainerLook = {id, outcome: {state: 'answered', tookMs}, ...told}
  if (status === undefined) return look
  const {state, createdAt, startedAt, finishedAt, exitCode, reason} = status
  const process = state === ContainerState.CONTAINER_RUNNING && told.pid !== undefined ? lookAtProcess?.(told.pid) : undefined
  return {...look, status: {state, createdAt, startedAt, finishedAt, exitCode, reason}, ...(process && {process})}
}

function isDoubtful({id, process}: ContainerLook): boolean {
  return process !== undefined && (process.state !== 'there' || (process.containerId !== undefined && process.containerId !== id))
}

/** Running ones without a living process first, then all that run, those in between, and of each name the newest that ended. */
export function inOrderOfDoubt(containers: readonly Container[], living: ReadonlySet<string>): readonly Container[] {
  const rank = ({id, state}: Container) => {
    if (state === ContainerState.CONTAINER_RUNNING) return living.has(id) ? 1 : 0
    return state === ContainerState.CONTAINER_EXITED ? 3 : 2
  }
  const newest = new Map<string, Container>()
  for (const each of containers) {
    if (each.state !== ContainerState.CONTAINER_EXITED) continue
    const key = `${each.labels[podLabels.uid] ?? each.podSandboxId}/${each.metadata?.name}`
    const other = newest.get(key)
    if (other === undefined || each.createdAt > other.createdAt) newest.set(key, each)
  }
  const last = new Set([...newest.values()].map(({id}) => id))
  return containers
    .filter(({id, state}) => state !== ContainerState.CONTAINER_EXITED || last.has(id))
    .toSorted((a, b) => rank(a) - rank(b) || (a.createdAt === b.createdAt ? 0 : a.createdAt > b.createdAt ? -1 : 1))
}
