// What a container runtime would have answered to a request that is not in the recording, where that follows from what is: a list by its filter, a status
// by the beginning of an id, stats of one out of those of all.
import {create, type DescMessage, type DescMethod, type Message, type MessageShape, toJson} from '@bufbuild/protobuf'
import {Code, ConnectError} from '@connectrpc/connect'
import {wholeId} from '../../node/cri-captured.ts'
import type {RecordedCall} from '../../node/recorded/recorded-call.ts'
import * as v1 from '../../wire/gen/cri_pb.ts'
import * as stats from '../../wire/gen/cri-stats_pb.ts'
import type {Wanted} from '../cri-service/filters.ts'
import type {CallBook} from './call-book.ts'
import {imageStatus, listImages} from './image-answers.ts'
import {messageOf, notRecorded} from './kept-answers.ts'
import {baseOf, filtered, type Row} from './list-filter.ts'

/** The recorded call to answer with, or the message. Undefined: it follows from nothing. */
export type Answer = RecordedCall | {readonly message: Message} | undefined

export type Derive = (request: never, method: DescMethod) => Answer

interface List<Item extends Row> {
  readonly method: string
  readonly filter: DescMessage
  readonly itemsOf: (call: RecordedCall) => readonly Item[]
  readonly wrap: (items: Item[]) => Message
}

const sandboxes: List<v1.PodSandbox> = {
  method: 'ListPodSandbox',
  filter: v1.PodSandboxFilterSchema,
  itemsOf: (call) => messageOf(v1.ListPodSandboxResponseSchema, call).items,
  wrap: (items) => create(v1.ListPodSandboxResponseSchema, {items}),
}

const containers: List<v1.Container> = {
  method: 'ListContainers',
  filter: v1.ContainerFilterSchema,
  itemsOf: (call) => messageOf(v1.ListContainersResponseSchema, call).containers,
  wrap: (items) => create(v1.ListContainersResponseSchema, {containers: items}),
}

const containerStats: List<stats.ContainerStats> = {
  method: 'ListContainerStats',
  filter: stats.ContainerStatsFilterSchema,
  itemsOf: (call) => messageOf(stats.ListContainerStatsResponseSchema, call).stats,
  wrap: (items) => create(stats.ListContainerStatsResponseSchema, {stats: items}),
}

const sandboxStats: List<stats.PodSandboxStats> = {
  method: 'ListPodSandboxStats',
  filter: stats.PodSandboxStatsFilterSchema,
  itemsOf: (call) => messageOf(stats.ListPodSandboxStatsResponseSchema, call).stats,
  wrap: (items) => create(stats.ListPodSandboxStatsResponseSchema, {stats: items}),
}

/** By method. @throws ConnectError as the runtime refuses what it does not have */
export function runtimeAnswers(book: CallBook): Readonly<Record<string, Derive>> {
  const all = <Item extends Row>({method, itemsOf}: List<Item>) =>
    book.of(method).flatMap((call) => (call.code === 'OK' ? itemsOf(call) : []))
  const sandboxIds = once(() => idsOf(book, all(sandboxes), 'PodSandboxStatus', 'podSandboxId'))
  const containerIds = once(() => idsOf(book, all(containers), 'ContainerStatus', 'containerId'))
  const pods = once(() => new Map(all(containers).map(({id, podSandboxId}) => [id, podSandboxId])))
  const list = <Item extends Row>({method, filter: desc, itemsOf, wrap}: List<Item>): Derive => {
    return ({filter}: {readonly filter?: Wanted & Message}) => {
      const calls = book.of(method)
      const base = baseOf(calls, filter && toJson(desc, filter))
      if (base === undefined && calls.length > 0) throw notRecorded('only lists by other filters are')
      if (base?.code !== 'OK') return base
      return {message: wrap(filtered(itemsOf(base), filter, {sandboxIds: sandboxIds(), podOf: (id) => pods().get(id)}))}
    }
  }
  const sandbox = (id: string) => known(id, sandboxIds(), 'sandbox')
  const container = (id: string) => known(id, containerIds(), 'container')
  const runtimeName = () => {
    const call = book.of('Version').findLast(({code}) => code === 'OK')
    return call === undefined ? '' : messageOf(v1.VersionResponseSchema, call).runtimeName
  }
  return {
    Version: (_, {parent}) => {
      const call = book.of('Version').findLast(({code}) => code === 'OK') ?? book.of('Version').at(-1)
      if (call?.code !== 'OK') return call
      const runtimeApiVersion = parent.typeName.split('.')[1] ?? 'v1'
      return {message: create(v1.VersionResponseSchema, {...messageOf(v1.VersionResponseSchema, call), runtimeApiVersion})}
    },
    Status: ({verbose}: v1.StatusRequest) => brief(v1.StatusResponseSchema, richest(book.of('Status')), verbose),
    ListPodSandbox: list(sandboxes),
    ListContainers: list(containers),
    ListContainerStats: list(containerStats),
    ListPodSandboxStats: list(sandboxStats),
    PodSandboxStatus: ({podSandboxId, verbose}: v1.PodSandboxStatusRequest) => {
      const id = sandbox(podSandboxId)
      return brief(v1.PodSandboxStatusResponseSchema, richest(about(book.of('PodSandboxStatus'), 'podSandboxId', id)), verbose)
    },
    ContainerStatus: ({containerId, verbose}: v1.ContainerStatusRequest) => {
      const id = container(containerId)
      return brief(v1.ContainerStatusResponseSchema, richest(about(book.of('ContainerStatus'), 'containerId', id)), verbose)
    },
    ContainerStats: ({containerId}: stats.ContainerStatsRequest) => {
      const id = container(containerId)
      const own = about(book.of('ContainerStats'), 'containerId', id).at(-1)
      const found = all(containerStats).findLast(({attributes}) => attributes?.id === id)
      return own ?? (found && {message: create(stats.ContainerStatsResponseSchema, {stats: found})})
    },
    PodSandboxStats: ({podSandboxId}: stats.PodSandboxStatsRequest) => {
      const id = sandbox(podSandboxId)
      const own = about(book.of('PodSandboxStats'), 'podSandboxId', id).at(-1)
      const found = all(sandboxStats).findLast(({attributes}) => attributes?.id === id)
      return own ?? (found && {message: create(stats.PodSandboxStatsResponseSchema, {stats: found})})
    },
    ListImages: (request: v1.ListImagesRequest) => listImages(book, request, runtimeName()),
    ImageStatus: (request: v1.ImageStatusRequest) => imageStatus(book, request),
  }
}

function once<T>(make: () => T): () => T {
  let made: {readonly value: T} | undefined
  return () => {
    made ??= {value: make()}
    return made.value
  }
}

function idsOf(book: CallBook, rows: readonly {readonly id: string}[], method: string, field: string): readonly string[] {
  const asked = book.of(method).flatMap((call) => (call.code === 'OK' ? (idIn(call, field) ?? []) : []))
  return [...new Set([...rows.map(({id}) => id), ...asked])]
}

function idIn({request}: RecordedCall, field: string): string | undefined {
  const id = (request as Readonly<Record<string, unknown>> | undefined)?.[field]
  return typeof id === 'string' ? id : undefined
}

/** @throws ConnectError */
function known(id: string, ids: readonly string[], what: 'sandbox' | 'container'): string {
  const whole = wholeId(id, ids)
  if (ids.includes(whole)) return whole
  // In the words of containerd's *_status.go: of a sandbox it leaves out the id.
  throw new ConnectError(`an error occurred when try to find ${what}${what === 'container' ? ` "${id}"` : ''}: not found`, Code.NotFound)
}

const about = (calls: readonly RecordedCall[], field: string, id: string) => calls.filter((call) => idIn(call, field) === id)

/** The last one, and rather one that was asked to be verbose: the other follows from it. */
function richest(calls: readonly RecordedCall[]): RecordedCall | undefined {
  return calls.findLast(({request}) => (request as {readonly verbose?: unknown} | undefined)?.verbose === true) ?? calls.at(-1)
}

function brief<Desc extends DescMessage>(desc: Desc, call: RecordedCall | undefined, verbose: boolean): Answer {
  if (call?.code !== 'OK' || verbose) return call
  return {message: create(desc, {...(messageOf(desc, call) as MessageShape<DescMessage>), info: {}} as never)}
}
