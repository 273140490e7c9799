// This node as it is now: every source at once, each under its own deadline.
import {workerPool} from './disk/worker-pool.ts'
import {readMounts} from './kernel/read-mounts.ts'
import {findKubelet} from './kubelet-facts.ts'
import {hostOf} from './kubelet-sources.ts'
import {nodeReaders} from './node-readers.ts'
import {seenKubelet} from './processes/kubelet-process.ts'
import {absent, known} from './reading.ts'
import {replayedAt} from './replayed/read-replay.ts'
import type {Machine} from './runtime-source.ts'
import {readSideBySide} from './side-by-side.ts'
import {type Readings, type Snapshot, type SourceName, sourceNames} from './snapshot.ts'
import type {SnapshotRequest} from './snapshot-request.ts'
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

/** @throws UserError for what is wrong with the request. */
export async function readNode(request: SnapshotRequest, machine: Machine, part?: Part): Promise<NodeRead> {
  const replayed = await replayedAt(request, machine)
  if (replayed === undefined) return await readThere(request, machine, part)
  const {snapshot, warnings} = await readThere(replayed.request, replayed.machine, part)
  return {snapshot: replayed.mend(snapshot), warnings: [...warnings, replayed.warning]}
}

async function readThere(request: SnapshotRequest, machine: Machine, part: Part | undefined): Promise<NodeRead> {
  const {clock, signal, waiting} = machine
  const {keepReplies = false, mountinfo} = request
  const host = await hostOf(request, machine.host)
  // A source may say what it has got so far before the others are told that it has not ended; the rest is for printing.
  const ms = request.deadlineMs * 0.9
  const deadlineMs = request.deadlineMs * 0.85
  const facts = await findKubelet(host, request)
  const kubeletPid = facts.process?.pid
  const mounts = await readMounts(host, {
    keepReply: keepReplies,
    ...(kubeletPid !== undefined && {kubeletPid}),
    ...(mountinfo !== undefined && {file: mountinfo}),
  })
  using pool = workerPool({clock, spawn: machine.spawnStatWorker})
  const {readers, learnt, boot} = nodeReaders({request, machine, host, facts, mounts, pool, deadlineMs})
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
    kubeletRoot: facts.rootDir.value,
    ...(rootReal !== undefined && {kubeletRootReal: rootReal}),
    kubeletVersion: learnt.version ?? part?.before.kubeletVersion,
    ...(kubeletProcess && {kubeletProcess}),
    readings: {...read, 'disk.vol-data': coveredVolData(read)},
    unread: {},
  }
  return {snapshot, warnings: learnt.warnings}
}

const unasked = Object.fromEntries(sourceNames.map((name) => [name, absent('it was not asked for')])) as unknown as Readings
