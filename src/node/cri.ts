// What the container runtime says. A broken runtime is a value here; only the one who asked can end the asking.
import type {Clock} from '../base/clock.ts'
import type {CriClient} from '../wire/cri-client.ts'
import type {Container, ContainerState, PodSandbox, PodSandboxState} from '../wire/gen/cri_pb.ts'
import type {Listed} from '../wire/listed.ts'
import {RpcFailure} from '../wire/rpc-failure.ts'
import {failed, type Reading, read} from './reading.ts'

/** What the runtime itself filters by; it takes the beginning of an id for the id. */
export interface SandboxFilter {
  readonly id?: string
  readonly state?: PodSandboxState
  readonly labels?: Readonly<Record<string, string>>
}

export interface ContainerFilter {
  readonly id?: string
  readonly sandboxId?: string
  readonly state?: ContainerState
  readonly labels?: Readonly<Record<string, string>>
}

/** The lists of a runtime: a live one's, or those that were captured of one (cri-captured.ts). */
export interface RuntimeLists {
  sandboxes(filter?: SandboxFilter): Promise<Reading<readonly PodSandbox[]>>
  containers(filter?: ContainerFilter): Promise<Reading<readonly Container[]>>
  /** The id of an image by any of its names; undefined when there is none. */
  imageId(name: string): Promise<Reading<string | undefined>>
}

export type CriReads = Pick<CriClient, 'listPodSandbox' | 'listContainers' | 'imageStatus'>

export interface ReadOptions {
  readonly clock: Clock
  /** Of each call; the client's own when absent. */
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}

export function liveLists(client: CriReads, {clock, deadlineMs, signal}: ReadOptions): RuntimeLists {
  const options = {...(signal && {signal}), ...(deadlineMs !== undefined && {deadlineMs})}
  return {
    sandboxes: ({id, state, labels} = {}) =>
      listing(clock, client.listPodSandbox({...common(id, labels), ...(state !== undefined && {state: {state}})}, options)),
    containers: ({id, sandboxId, state, labels} = {}) =>
      listing(
        clock,
        client.listContainers(
          {...common(id, labels), ...(sandboxId && {podSandboxId: sandboxId}), ...(state !== undefined && {state: {state}})},
          options,
        ),
      ),
    imageId: (name) =>
      reading(clock, async () => {
        const image = await client.imageStatus(name, options)
        return read(image?.id)
      }),
  }
}

function common(id: string | undefined, labels: Readonly<Record<string, string>> | undefined) {
  return {...(id && {id}), ...(labels && {labelSelector: {...labels}})}
}

function listing<T>(clock: Clock, listed: Promise<Listed<T>>): Promise<Reading<readonly T[]>> {
  return reading(clock, async () => {
    const {items, incomplete} = await listed
    return read(items, incomplete)
  })
}

async function reading<T>(clock: Clock, work: () => Promise<Reading<T>>): Promise<Reading<T>> {
  const start = clock.now()
  try {
    return await work()
  } catch (error) {
    if (error instanceof RpcFailure) return failed(error.message, clock.now() - start)
    throw error
  }
}
