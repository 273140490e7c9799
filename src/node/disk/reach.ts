// Asks a stat worker of each file system that can hang before we open anything on it ourselves.
import {readFile} from 'node:fs/promises'
import type {Clock} from '../../base/clock.ts'
import {formatDuration} from '../../base/duration.ts'
import type {Reach} from '../follow-links.ts'
import {parseMountinfo} from '../mountinfo.ts'
import type {EarlierLooks} from './earlier-looks.ts'
import {isLocal} from './mount-points.ts'
import type {WorkerProcess} from './stat-worker.ts'
import {workerPool} from './worker-pool.ts'

export interface ReachOptions {
  readonly spawn: () => WorkerProcess
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly earlier: () => Promise<EarlierLooks>
  /** The text of our own mount table. @throws the system's error */
  readonly mountinfo?: () => Promise<string>
}

/** A settings file is not worth more: the looks that findings stand on take their own time. */
const quietMs = 1000

// They are the kernel's own. autofs: to ask is to mount, which whoever named a file there wants, and nobody else does.
const harmless = new Set(
  'autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts efivarfs fusectl hugetlbfs iso9660 mqueue nsfs proc pstore securityfs squashfs sysfs tracefs'.split(
    ' ',
  ),
)

/** Mount points to the 'major:minor' of what can hang there. */
type Doubtful = ReadonlyMap<string, string>

/** Each file system is asked once, by a worker of its own that is gone afterwards. */
export function reachOf(options: ReachOptions): Reach {
  const {mountinfo = () => readFile('/proc/self/mountinfo', 'utf8')} = options
  const asked = new Map<string, Promise<void>>()
  let doubtful: Promise<Doubtful> | undefined
  return async (path) => {
    doubtful ??= mountinfo().then(doubtfulIn, (): Doubtful => new Map())
    const mountPoints = await doubtful
    if (mountPoints.size === 0) return
    for (const each of mountPointsOn(path, mountPoints)) {
      const answer = asked.get(each) ?? ask(each, mountPoints.get(each) ?? '', options)
      asked.set(each, answer)
      await answer
    }
  }
}

/** Of 75,000 lines only those are parsed that matter. */
function doubtfulIn(text: string): Doubtful {
  const lines = text.split('\n').filter((line) => {
    const fsType = / - (\S+) /.exec(line)?.[1]
    return fsType !== undefined && !isLocal(fsType) && !harmless.has(fsType)
  })
  return new Map(parseMountinfo(lines.join('\n')).map(({mountPoint, device}) => [mountPoint, device]))
}

/** From the outermost to the path itself: what lies on a mount lies on all those around it. */
function mountPointsOn(path: string, mountPoints: Doubtful): string[] {
  const ancestors = ['/']
  for (let slash = path.indexOf('/', 1); slash !== -1; slash = path.indexOf('/', slash + 1)) ancestors.push(path.slice(0, slash))
  return [...ancestors, path].filter((each) => mountPoints.has(each))
}

async function ask(mountPoint: string, device: string, {spawn, clock, signal, earlier}: ReachOptions): Promise<void> {
  if (!(await earlier()).has(device)) {
    using pool = workerPool({spawn, clock})
    const {state} = await pool.ask('mount', {paths: [mountPoint], device}, {quietMs, signal, onPart: () => undefined})
    if (state !== 'silent') return
  }
  throw Object.assign(new Error(`${mountPoint} has not answered for ${formatDuration(quietMs)}`), {code: 'ETIMEDOUT'})
}
