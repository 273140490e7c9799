// What a client such as crictl asks of a container runtime. The living first: a node may have thousands that have ended, and what was not asked is said.
import type {DescMethodUnary, Message} from '@bufbuild/protobuf'
import type {Channel} from '../../wire/channel.ts'
import * as v1 from '../../wire/gen/cri_pb.ts'
import * as v1alpha2 from '../../wire/gen/cri-v1alpha2_pb.ts'
import {type Asker, asker, type Keeper} from './keep-call.ts'

export interface RuntimeLists {
  /** Undefined where the bundle has no list. */
  readonly sandboxes: readonly v1.PodSandbox[] | undefined
  readonly containers: readonly v1.Container[] | undefined
}

/** Calls at a time. The kubelet wants its answers, too. */
const atOnce = 4

/** Of each kind: those that live, and the newest of those that do not. */
const mostLiving = 2000
const mostEnded = 200

/** @returns what was not asked, in words */
export async function keepRuntime(channel: Channel, socket: string, lists: RuntimeLists, keeper: Keeper): Promise<readonly string[]> {
  const one = asker(channel, socket, keeper)
  const {runtime, image, version} = await greet(one)
  const notes: string[] = []
  const ask = (method: DescMethodUnary | undefined, request: Readonly<Record<string, unknown>>) =>
    method === undefined ? undefined : one.ask(method, request)
  const images = ask(image.listImages, {})
  await inOrder(
    [
      ...(version ? [] : [() => ask(runtime.version, {})]),
      () => ask(runtime.status, {verbose: true}),
      () => ask(v1.RuntimeService.method.runtimeConfig, {}),
      () => ask(image.imageFsInfo, {}),
      // With a filter, as clients do: without one containerd 1.7 fails for sandboxes that have ended.
      () => ask(runtime.listContainerStats, {filter: {}}),
      () => ask(runtime.listPodSandboxStats, {filter: {}}),
      // Lists that the bundle has are served from there; where it has none, the runtime may have found its words meanwhile.
      ...(lists.sandboxes === undefined ? [() => ask(runtime.listPodSandbox, {})] : []),
      ...(lists.containers === undefined ? [() => ask(runtime.listContainers, {})] : []),
    ],
    atOnce,
  )
  const sandboxes = firsts(lists.sandboxes ?? [], ({state}) => state === v1.PodSandboxState.SANDBOX_READY)
  const containers = firsts(lists.containers ?? [], ({state}) => state !== v1.ContainerState.CONTAINER_EXITED)
  const listed = ((await images) as v1.ListImagesResponse | undefined)?.images ?? []
  const each = [
    ...sandboxes.map(({id}) => [runtime.podSandboxStatus, {podSandboxId: id, verbose: true}] as const),
    ...containers.map(({id}) => [runtime.containerStatus, {containerId: id, verbose: true}] as const),
    ...listed.slice(0, mostLiving).map(({id}) => [image.imageStatus, {image: {image: id}, verbose: true}] as const),
  ]
  let asked = 0
  await inOrder(
    each.map(([method, request]) => async () => {
      const before = keeper.kept.length
      await one.ask(method, request)
      if (keeper.kept.length > before) asked++
    }),
    atOnce,
  )
  const all = (lists.sandboxes?.length ?? 0) + (lists.containers?.length ?? 0) + listed.length
  const missing = all - Math.min(asked, all)
  if (missing > 0) notes.push(`${missing} of ${all} sandboxes, containers and images were not asked for their status`)
  return notes
}

type Method = DescMethodUnary

interface Methods {
  readonly runtime: Readonly<
    Record<
      | 'version'
      | 'status'
      | 'podSandboxStatus'
      | 'containerStatus'
      | 'listPodSandbox'
      | 'listContainers'
      | 'listContainerStats'
      | 'listPodSandboxStats',
      Method
    >
  >
  readonly image: Readonly<Record<'listImages' | 'imageStatus' | 'imageFsInfo', Method>>
}

/** A runtime that serves v1alpha2 alone answers v1 with UNIMPLEMENTED. */
async function greet(one: Asker): Promise<Methods & {readonly version: boolean}> {
  const newest: Methods = {runtime: v1.RuntimeService.method, image: v1.ImageService.method}
  const older: Methods = {runtime: v1alpha2.RuntimeService.method, image: v1alpha2.ImageService.method}
  const greeted: Message | undefined = await one.ask(newest.runtime.version, {})
  if (greeted !== undefined) return {...newest, version: true}
  const again = await one.ask(older.runtime.version, {})
  return again === undefined ? {...newest, version: true} : {...older, version: true}
}

function firsts<T extends {readonly createdAt: bigint}>(all: readonly T[], lives: (each: T) => boolean): readonly T[] {
  const ended = all
    .filter((each) => !lives(each))
    .toSorted((a, b) => (a.createdAt === b.createdAt ? 0 : a.createdAt > b.createdAt ? -1 : 1))
  return [...all.filter(lives).slice(0, mostLiving), ...ended.slice(0, mostEnded)]
}

export async function inOrder(work: readonly (() => Promise<unknown> | undefined)[], width: number): Promise<void> {
  const queue = work.values()
  const next = async () => {
    for (const each of queue) await each()
  }
  await Promise.all(Array.from({length: width}, next))
}
