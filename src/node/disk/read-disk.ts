// What lies below the kubelet's root, its vol_data.json files, and a look at each mount point there. Every look is a stat worker's.
import type {Clock} from '../../base/clock.ts'
import type {MountLook} from '../kernel/facts.ts'
import type {Mount} from '../mountinfo.ts'
import {absent, failed, type Reading, read} from '../reading.ts'
import type {Readings} from '../snapshot.ts'
import {collectWalk, type Walked} from './collect-walk.ts'
import type {EarlierLooks} from './earlier-looks.ts'
import {findRoot, type NoRoot} from './find-root.ts'
import {lookAtMounts} from './look-at-mounts.ts'
import {isLocal, type MountPoint, mountPointsBelow} from './mount-points.ts'
import type {EntryFacts} from './protocol.ts'
import type {WorkerPool} from './worker-pool.ts'

export interface DiskOptions {
  /** The kubelet's root on the host: absolute, without a slash at its end. */
  readonly root: string
  /** Where a path of the host is to be opened by us. */
  readonly locate: (path: string) => string
  /** The mount table of what `locate` leads to; undefined when it was not read. */
  readonly mounts: readonly Mount[] | undefined
  readonly pool: WorkerPool
  readonly clock: Clock
  /** Default: none. */
  readonly earlier?: EarlierLooks
  /** For all of it. What is not done by then is incomplete, or skipped. */
  readonly deadlineMs: number
  /** How long one look may take. Default: 3 s. */
  readonly quietMs?: number
  readonly signal?: AbortSignal
}

export type DiskReadings = Pick<Readings, 'disk.entries' | 'disk.vol-data' | 'disk.mounts'> & {
  /** The root with its links resolved, when that is another path. */
  readonly rootReal?: string
}

interface Limits {
  readonly quietMs: number
  /** Aborted with `late` when the time is over. */
  readonly signal: AbortSignal
  readonly late: Error
}

/** Never throws for what a node may have; rejects with the signal's reason. */
export async function readDisk(options: DiskOptions): Promise<DiskReadings> {
  const {clock, deadlineMs, quietMs = 3000, signal} = options
  signal?.throwIfAborted()
  const late = new Error(`not done within ${deadlineMs} ms`)
  const timer = new AbortController()
  const end = new AbortController()
  void clock.sleep(deadlineMs, timer.signal).then(
    () => end.abort(late),
    () => undefined,
  )
  try {
    return await readWithin(options, {quietMs, late, signal: AbortSignal.any(signal === undefined ? [end.signal] : [end.signal, signal])})
  } finally {
    timer.abort()
  }
}

async function readWithin(options: DiskOptions, limits: Limits): Promise<DiskReadings> {
  const {root, locate, mounts, deadlineMs} = options
  const real = await findRoot({...options, ...limits}).catch((error) => {
    if (error === limits.late) return {unseen: failed(limits.late.message, deadlineMs)}
    throw error
  })
  if (typeof real !== 'string') return nothing(real)
  const points = mounts && mountPointsBelow([...new Set([real, root])], mounts)
  const walked: Walked = {entries: new Map(), volData: new Map(), problems: []}
  const request = {
    root: locate(real),
    ...(points && {mounts: points.map(({path, fsType, device}) => ({path, fsType, device, local: isLocal(fsType)}))}),
  }
  if (!(await isTimely(collectWalk(walked, {...options, ...limits, request}), limits))) walked.problems.push(limits.late.message)
  // The kubelet makes it at each start (kubelet.go, setupDataDirs).
  if (walked.entries.has('') && !walked.entries.has('pods') && walked.problems.length === 0)
    return nothing({unseen: absent(`there is no ${real}/pods`)})
  const looks = points && (await lookAtAll(points, walked, options, limits))
  const reading = <T>(values: Iterable<T>): Reading<readonly T[]> =>
    walked.entries.size === 0 ? failed(inFew(walked.problems)) : read([...values], inFew(walked.problems) || undefined)
  return {
    'disk.entries': reading(walked.entries.values()),
    'disk.vol-data': reading(walked.volData.values()),
    'disk.mounts': looks === undefined ? absent('the mount table was not read') : read(looks),
    ...(real !== root && {rootReal: real}),
  }
}

function nothing({unseen, looks}: NoRoot): DiskReadings {
  return {'disk.entries': unseen, 'disk.vol-data': unseen, 'disk.mounts': looks === undefined ? unseen : read(looks)}
}

/** In the order of the table. The walk did not touch the mount points: their entries are filled from what the looks gave. */
async function lookAtAll(points: readonly MountPoint[], walked: Walked, options: DiskOptions, limits: Limits): Promise<MountLook[]> {
  const outcomes = new Map<string, MountLook['outcome']>()
  const found = ({mountPoint, path}: MountPoint, outcome: MountLook['outcome'], facts?: EntryFacts) => {
    outcomes.set(mountPoint, outcome)
    const entry = walked.entries.get(path)
    if (entry !== undefined && facts !== undefined) walked.entries.set(path, {...entry, ...facts})
  }
  await isTimely(lookAtMounts({...options, ...limits, points, found}), limits)
  const unreached = {state: 'skipped', why: limits.late.message} as const
  return points.map(({mountPoint}) => ({mountPoint, outcome: outcomes.get(mountPoint) ?? unreached}))
}

/** Whether the work was done before the deadline; what else it threw is thrown. */
async function isTimely(work: Promise<void>, {late}: Limits): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error !== late) throw error
    return false
  }
}

/** The first few of them, in one line. */
function inFew(problems: readonly string[]): string {
  const more = problems.length > 3 ? ` and ${problems.length - 3} more` : ''
  return `${problems.slice(0, 3).join('; ')}${more}`
}
