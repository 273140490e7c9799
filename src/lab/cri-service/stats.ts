// What containers and sandboxes use: no CPU, as there are no processes, and memory that is made up. Only what runs is told of, as in containerd
// (container_stats_list.go, sandbox_stats_list.go).
import {create} from '@bufbuild/protobuf'
import type {ServiceImpl} from '@connectrpc/connect'
import type {CriContainerStatus, CriSandbox} from '../../kubelet/cri.ts'
import type {RuntimeService} from '../../wire/gen/cri_pb.ts'
import {
  type ContainerStats,
  type ContainerStatsFilter,
  ContainerStatsSchema,
  type PodSandboxStats,
  type PodSandboxStatsFilter,
  PodSandboxStatsSchema,
} from '../../wire/gen/cri-stats_pb.ts'
import {type CriContext, containerId, sandboxId} from './context.ts'
import {notFound, unknown} from './failures.ts'
import {isWanted} from './filters.ts'
import {imageFilesystem} from './image-calls.ts'
import {listedContainer, listedSandbox} from './listed-rows.ts'
import {nanoseconds} from './nanoseconds.ts'
import {inPieces} from './pieces.ts'

type Stats = Pick<
  ServiceImpl<typeof RuntimeService>,
  'containerStats' | 'listContainerStats' | 'streamContainerStats' | 'podSandboxStats' | 'listPodSandboxStats' | 'streamPodSandboxStats'
>

const none = {value: 0n}

/** About what a shell has that sleeps. crictl hides a container that uses nothing. */
const shellBytes = 256n * 1024n

export function statsCalls(service: CriContext): Stats {
  const {world, details, clock} = service
  const usage = (running: number) => {
    const timestamp = nanoseconds(clock.now())
    const bytes = {value: shellBytes * BigInt(running)}
    return {
      cpu: {timestamp, usageCoreNanoSeconds: none, usageNanoCores: none},
      memory: {timestamp, workingSetBytes: bytes, usageBytes: bytes, rssBytes: bytes, pageFaults: none, majorPageFaults: none},
    }
  }
  const ofContainer = (row: CriContainerStatus): ContainerStats => {
    const {id, metadata, labels, annotations} = listedContainer(row, details)
    return create(ContainerStatsSchema, {
      attributes: {id, ...(metadata && {metadata}), labels, annotations},
      ...usage(1),
      writableLayer: {timestamp: nanoseconds(clock.now()), fsId: {mountpoint: imageFilesystem}, usedBytes: none, inodesUsed: none},
    })
  }
  const runningIn = (sandbox: CriSandbox) =>
    world.containers.listOf(sandbox.metadata.uid).filter(({podSandboxId, state}) => podSandboxId === sandbox.id && state === 'RUNNING')
  const ofSandbox = (row: CriSandbox): PodSandboxStats => {
    const {id, metadata, labels, annotations} = listedSandbox(row, details)
    const timestamp = nanoseconds(clock.now())
    const containers = runningIn(row)
    return create(PodSandboxStatsSchema, {
      attributes: {id, ...(metadata && {metadata}), labels, annotations},
      linux: {
        ...usage(containers.length),
        network: {timestamp, defaultInterface: {name: 'eth0', rxBytes: none, rxErrors: none, txBytes: none, txErrors: none}},
        process: {timestamp, processCount: {value: BigInt(containers.length)}},
        containers: containers.map(ofContainer),
      },
    })
  }
  const containers = (filter: ContainerStatsFilter | undefined): ContainerStats[] => {
    const ids = {id: containerId(service, filter?.id ?? ''), podSandboxId: sandboxId(service, filter?.podSandboxId ?? '')}
    return world.containers
      .list()
      .filter((row) => row.state === 'RUNNING' && isWanted(listedContainer(row, details), {...filter, ...ids}))
      .map(ofContainer)
  }
  const sandboxes = (filter: PodSandboxStatsFilter | undefined): PodSandboxStats[] => {
    const wanted = {...filter, id: sandboxId(service, filter?.id ?? '')}
    return world.sandboxes
      .list()
      .filter((row) => row.state === 'READY' && isWanted(listedSandbox(row, details), wanted))
      .map(ofSandbox)
  }
  return {
    containerStats: (request) => {
      const row = world.containers.get(containerId(service, request.containerId))
      if (row === undefined) throw notFound('container', request.containerId)
      if (row.state !== 'RUNNING') throw unknown(`container "${row.id}" is not running`)
      return {stats: ofContainer(row)}
    },
    listContainerStats: ({filter}) => ({stats: containers(filter)}),
    streamContainerStats: async function* ({filter}) {
      for (const containerStats of inPieces(containers(filter))) yield {containerStats}
    },
    podSandboxStats: ({podSandboxId}) => {
      const row = world.sandboxes.get(sandboxId(service, podSandboxId))
      if (row === undefined) throw notFound('sandbox', podSandboxId)
      if (row.state !== 'READY') throw unknown(`sandbox "${row.id}" is not running`)
      return {stats: ofSandbox(row)}
    },
    listPodSandboxStats: ({filter}) => ({stats: sandboxes(filter)}),
    streamPodSandboxStats: async function* ({filter}) {
      for (const podSandboxStats of inPieces(sandboxes(filter))) yield {podSandboxStats}
    },
  }
}
