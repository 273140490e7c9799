// A look at each mount point, so ordered that one that hangs costs itself only: what needs no server first, then one file system beside
// another. Two looks at one file system never run at once, as both would hang.
import type {Clock} from '../../base/clock.ts'
import type {MountLook} from '../kernel/facts.ts'
import type {EarlierLooks} from './earlier-looks.ts'
import {isLocal, type MountPoint} from './mount-points.ts'
import type {EntryFacts, Looked} from './protocol.ts'
import type {PoolAsked, WorkerPool} from './worker-pool.ts'

export interface LookOptions {
  readonly points: readonly MountPoint[]
  readonly locate: (path: string) => string
  readonly pool: WorkerPool
  readonly clock: Clock
  readonly quietMs: number
  readonly signal: AbortSignal
  /** Default: none. */
  readonly earlier?: EarlierLooks
  /** Told of each, in no order. */
  readonly found: (point: MountPoint, outcome: MountLook['outcome'], facts?: EntryFacts) => void
}

/** How long one file system may take before the next one's look is begun beside it. */
const patienceMs = 200

/** Rejects with the signal's reason; those that were not reached then are not told of. */
export async function lookAtMounts(options: LookOptions): Promise<void> {
  const {points, clock, signal, found} = options
  const looked = points.filter(({fsType}) => fsType !== 'autofs')
  for (const point of points)
    if (point.fsType === 'autofs') found(point, {state: 'skipped', why: 'it is an automount, which a look would mount'})
  await lookAtEach(
    looked.filter(({fsType}) => isLocal(fsType)),
    options,
  )
  const others = Map.groupBy(
    looked.filter(({fsType}) => !isLocal(fsType)),
    ({device}) => device,
  )
  const running: Promise<void>[] = []
  for (const group of others.values()) {
    const look = lookAtEach(group, options, group[0])
    // The first to be aborted ends this loop: the others are then nobody's.
    look.catch(() => undefined)
    running.push(look)
    const waited = new AbortController()
    const patience = clock.sleep(patienceMs, waited.signal).catch(() => undefined)
    await Promise.race([look, patience]).finally(() => waited.abort())
    signal.throwIfAborted()
  }
  await Promise.all(running)
}

/** @param one they all lie on its file system: when one look at it hangs, so would the others. */
async function lookAtEach(points: readonly MountPoint[], options: LookOptions, one?: MountPoint): Promise<void> {
  const {locate, pool, quietMs, signal, found, earlier} = options
  const device = one?.device
  const hungFor = device === undefined ? undefined : earlier?.get(device)
  let next = 0
  while (next < points.length) {
    const onPart = (looked: Looked) => {
      const point = points[next++]
      if (point === undefined) return
      if ('code' in looked) found(point, {state: 'error', code: looked.code})
      else found(point, {state: 'ok', device: looked.facts.device ?? ''}, looked.facts)
    }
    const paths = points.slice(next).map(({mountPoint}) => locate(mountPoint))
    const asked: PoolAsked =
      hungFor === undefined
        ? await pool.ask('mount', {paths, ...(device !== undefined && {device})}, {quietMs, signal, onPart})
        : {state: 'silent', afterMs: hungFor}
    const point = points[next]
    if (asked.state === 'answered' || point === undefined) return
    let why = 'why' in asked ? asked.why : undefined
    if (asked.state === 'silent') {
      found(point, asked)
      next++
      if (one !== undefined) why = `a look at ${point.mountPoint}, on the same file system, hangs`
    }
    if (why === undefined) continue
    for (const rest of points.slice(next)) found(rest, {state: 'skipped', why})
    return
  }
}
