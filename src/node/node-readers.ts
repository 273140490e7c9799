// Who reads which sources of a live node. They run side by side and tell each other only what is known beforehand.
import {readCsi} from './csi/read-csi.ts'
import {earlierLooks} from './disk/earlier-looks.ts'
import {readDisk} from './disk/read-disk.ts'
import type {WorkerPool} from './disk/worker-pool.ts'
import type {Host} from './endpoints/host.ts'
import {followLinks} from './follow-links.ts'
import {readBlockDevices} from './kernel/read-block-devices.ts'
import {readBoot} from './kernel/read-boot.ts'
import type {KubeletFacts} from './kubelet-facts.ts'
import {readKubeletSources} from './kubelet-sources.ts'
import {livingContainers, processLooks} from './processes/process-looks.ts'
import {readContainerProcesses} from './processes/read-container-processes.ts'
import {known} from './reading.ts'
import {readRuntime, runtimeSources} from './runtime/read-runtime.ts'
import type {Machine} from './runtime-source.ts'
import type {SourceReader} from './side-by-side.ts'
import type {Readings} from './snapshot.ts'
import type {SnapshotRequest} from './snapshot-request.ts'
import {readTakeovers} from './takeover/read-takeovers.ts'

export interface NodeWork {
  readonly request: SnapshotRequest
  readonly machine: Machine
  /** Where the node's root is. */
  readonly host: Host
  readonly facts: KubeletFacts
  readonly mounts: Readings['kernel.mounts']
  readonly pool: WorkerPool
  /** Milliseconds for each. */
  readonly deadlineMs: number
}

/** What they find out beside their sources. */
export interface Learnt {
  version?: string
  rootReal?: string
  warnings: readonly string[]
}

export interface NodeReaders {
  readonly readers: readonly SourceReader[]
  /** Filled by the time they have ended. */
  readonly learnt: Learnt
  readonly boot: Promise<Readings['kernel.boot']>
}

/** What more than one of them needs is read once. */
interface Shared extends NodeWork, Omit<NodeReaders, 'readers'> {
  readonly processes: Promise<Readings['processes']>
}

const kubeletSources = ['kubelet.pods', 'kubelet.runningpods', 'kubelet.healthz', 'kubelet.metrics', 'kubelet.log'] as const
const apiSources = ['api.pods', 'api.events', 'api.node'] as const

export function nodeReaders(work: NodeWork): NodeReaders {
  const {host, facts} = work
  const learnt: Learnt = {warnings: []}
  const boot = readBoot(host)
  const shared: Shared = {...work, learnt, boot, processes: readContainerProcesses(host, facts.process?.pid)}
  const readers = [runtimeReader(shared), kubeletReader(shared), driversReader(shared), directoryReader(shared), kernelReader(shared)]
  return {readers, learnt, boot}
}

function runtimeReader({request, machine, host, facts, deadlineMs, learnt, boot, processes}: Shared): SourceReader {
  return {
    what: 'the container runtime',
    names: runtimeSources,
    read: async (signal) => {
      const living = processes.then(livingContainers)
      const lookAtProcess = boot.then((each) => processLooks(host, each, facts.process?.pid))
      const {readings, warnings} = await readRuntime(request, {...machine, host, signal, deadlineMs, living, lookAtProcess})
      learnt.warnings = warnings
      return readings
    },
  }
}

function kubeletReader({request, machine, facts, deadlineMs, learnt}: Shared): SourceReader {
  return {
    what: 'the kubelet',
    names: [...kubeletSources, ...apiSources],
    read: async (signal) => {
      const {keepReplies = false} = request
      const found = await readKubeletSources(request, {...machine, signal, deadlineMs, keepReplies, facts})
      if (found.version !== undefined) learnt.version = found.version
      return found.readings
    },
  }
}

function driversReader({machine: {clock}, host, facts, deadlineMs}: Shared): SourceReader {
  const locate = below(host, facts)
  const placeOf = async (path: string) => locate(await followLinks(path, locate, host.reach))
  return {
    what: 'the CSI drivers',
    names: ['csi.registrations', 'csi.drivers'],
    read: (signal) => readCsi({root: facts.rootDir.value, placeOf, clock, signal, deadlineMs}),
  }
}

function directoryReader({machine: {clock}, host, facts, mounts, pool, deadlineMs, learnt}: Shared): SourceReader {
  return {
    what: "the kubelet's directory",
    names: ['disk.entries', 'disk.vol-data', 'disk.mounts'],
    read: async (signal) => {
      const earlier = await earlierLooks(host)
      const options = {
        root: facts.rootDir.value,
        locate: below(host, facts),
        mounts: known(mounts),
        earlier,
        pool,
        clock,
        deadlineMs,
        signal,
      }
      const {rootReal, ...readings} = await readDisk(options)
      if (rootReal !== undefined) learnt.rootReal = rootReal
      return readings
    },
  }
}

function kernelReader({host, facts, boot, processes}: Shared): SourceReader {
  return {
    what: 'the kernel',
    names: ['kernel.devices', 'kernel.boot', 'processes', 'takeovers'],
    read: async () => {
      const [devices, takeovers] = await Promise.all([readBlockDevices(host), readTakeovers(host, facts.process?.pid)])
      return {'kernel.devices': devices, 'kernel.boot': await boot, processes: await processes, takeovers}
    },
  }
}

function below(host: Host, {root}: KubeletFacts): (path: string) => string {
  return (path) => host.locate(`${root}${path}`)
}
