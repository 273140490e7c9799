// This node as it is now: every source at once, each under its own deadline.
import {readCsi} from './csi/read-csi.ts'
import {earlierLooks} from './disk/earlier-looks.ts'
import {readDisk} from './disk/read-disk.ts'
import {workerPool} from './disk/worker-pool.ts'
import {followLinks} from './follow-links.ts'
import {readBlockDevices} from './kernel/read-block-devices.ts'
import {readBoot} from './kernel/read-boot.ts'
import {readMounts} from './kernel/read-mounts.ts'
import {findKubelet} from './kubelet-facts.ts'
import {hostOf, readKubeletSources} from './kubelet-sources.ts'
import {seenKubelet} from './processes/kubelet-process.ts'
import {livingContainers, processLooks} from './processes/process-looks.ts'
import {readContainerProcesses} from './processes/read-container-processes.ts'
import {absent, known} from './reading.ts'
import {readRuntime, runtimeSources} from './runtime/read-runtime.ts'
import type {Machine} from './runtime-source.ts'
import {readSideBySide, type SourceReader} from './side-by-side.ts'
import {type Readings, type Snapshot, type SourceName, sourceNames} from './snapshot.ts'
import type {SnapshotRequest} from './snapshot-request.ts'
import {readTakeovers} from './takeover-journals.ts'
import {coveredVolData} from './vol-data-coverage.ts'

export interface NodeRead {
  readonly snapshot: Snapshot
  readonly warnings: readonly string[]
}

/** A further look at a part of the node. */
export interface Part {
  /** Sources that are read at the same time as these are read, too. */
  readonly only: ReadonlySet<SourceName>
  /** What the others said. */
  readonly before: Snapshot
}

const kubeletSources = ['kubelet.pods', 'kubelet.runningpods', 'kubelet.healthz', 'kubelet.metrics'] as const
const apiSources = ['api.pods', 'api.events', 'api.node'] as const

/** @throws UserError for what is wrong with the request. */
export async function readNode(request: SnapshotRequest, {waiting, ...machine}: Machine, part?: Part): Promise<NodeRead> {
  const {clock, signal} = machine
  const {keepReplies = false, mountinfo} = request
  const host = await hostOf(request, machine.host)
  // A source may say what it has got so far before the others are told that it has not ended; the rest is for printing.
  const ms = request.deadlineMs * 0.9
  const deadlineMs = request.deadlineMs * 0.85
  const facts = await findKubelet(host, request)
  const root = facts.rootDir.value
  const kubeletPid = facts.process?.pid
  const locate = (path: string) => host.locate(`${facts.root}${path}`)
  const placeOf = async (path: string) => locate(await followLinks(path, locate, host.reach))
  const mounts = await readMounts(host, {
    keepReply: keepReplies,
    ...(kubeletPid !== undefined && {kubeletPid}),
    ...(mountinfo !== undefined && {file: mountinfo}),
  })
  const boot = readBoot(host)
  const processes = readContainerProcesses(host, kubeletPid)
  const learnt: {version?: string; rootReal?: string; warnings: readonly string[]} = {warnings: []}
  using pool = workerPool({clock, spawn: machine.spawnStatWorker})
  const readers: readonly SourceReader[] = [
    reader('the container runtime', runtimeSources, async (within) => {
      const {readings, warnings} = await readRuntime(request, {
        ...machine,
        host,
        waiting,
        signal: within,
        deadlineMs,
        living: processes.then(livingContainers),
        lookAtProcess: boot.then((each) => processLooks(host, each, kubeletPid)),
      })
      learnt.warnings = warnings
      return readings
    }),
    reader('the kubelet', [...kubeletSources, ...apiSources, 'kubelet.log'], async (within) => {
      const found = await readKubeletSources(request, {...machine, signal: within, deadlineMs, keepReplies, facts})
      if (found.version !== undefined) learnt.version = found.version
      return found.readings
    }),
    reader('the CSI drivers', ['csi.registrations', 'csi.drivers'], (within) =>
      readCsi({root, placeOf, clock, signal: within, deadlineMs}),
    ),
    reader("the kubelet's directory", ['disk.entries', 'disk.vol-data', 'disk.mounts'], async (within) => {
      const earlier = await earlierLooks(host)
      const {rootReal, ...readings} = await readDisk({
        root,
        locate,
        mounts: known(mounts),
        earlier,
        pool,
        clock,
        deadlineMs,
        signal: within,
      })
      if (rootReal !== undefined) learnt.rootReal = rootReal
      return readings
    }),
    reader('the kernel', ['kernel.devices', 'kernel.boot', 'processes', 'takeovers'], async () => {
      const [devices, takeovers] = await Promise.all([readBlockDevices(host), readTakeovers(host)])
      return {'kernel.devices': devices, 'kernel.boot': await boot, processes: await processes, takeovers}
    }),
  ]
  const asked = part === undefined ? readers : readers.filter(({names}) => names.some((name) => part.only.has(name)))
  const others = part?.before.readings ?? unasked
  const read = {...others, 'kernel.mounts': mounts, ...(await readSideBySide(asked, {clock, signal, ms, waiting}))}
  // The user's own address may be that of another kubelet: its silence is not this one's.
  const certain = facts.certain && request.kubeletUrl === undefined
  const kubeletProcess = seenKubelet(host, {...facts, certain}, known(await boot)?.at)
  const rootReal = learnt.rootReal ?? part?.before.kubeletRootReal ?? facts.rootDirReal
  const snapshot: Snapshot = {
    node: facts.node.value,
    when: clock.now(),
    kubeletRoot: root,
    ...(rootReal !== undefined && {kubeletRootReal: rootReal}),
    kubeletVersion: learnt.version ?? part?.before.kubeletVersion,
    ...(kubeletProcess && {kubeletProcess}),
    readings: {...read, 'disk.vol-data': coveredVolData(read)},
    unread: {},
  }
  return {snapshot, warnings: learnt.warnings}
}

const unasked = Object.fromEntries(sourceNames.map((name) => [name, absent('it was not asked for')])) as unknown as Readings

function reader(what: string, names: readonly SourceName[], read: SourceReader['read']): SourceReader {
  return {what, names, read}
}
