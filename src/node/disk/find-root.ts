// The kubelet's root, with its links resolved, as a stat worker sees it.
import type {MountLook} from '../kernel/facts.ts'
import type {Mount} from '../mountinfo.ts'
import {absent, failed, type Reading} from '../reading.ts'
import type {EarlierLooks} from './earlier-looks.ts'
import {coveringMount} from './mount-points.ts'
import type {Looked} from './protocol.ts'
import {resolvePath} from './resolve-path.ts'
import type {PoolAsked, WorkerPool} from './worker-pool.ts'

export interface FindRootOptions {
  readonly root: string
  readonly locate: (path: string) => string
  readonly mounts: readonly Mount[] | undefined
  readonly pool: WorkerPool
  readonly quietMs: number
  /** Default: none. */
  readonly earlier?: EarlierLooks
  readonly signal: AbortSignal
}

export interface NoRoot {
  readonly unseen: Reading<never>
  /** The mount that it hangs on. */
  readonly looks?: readonly MountLook[]
}

/** Its real path, or why there is nothing to read. */
export async function findRoot({root, locate, mounts = [], pool, quietMs, signal, earlier}: FindRootOptions): Promise<string | NoRoot> {
  let none: NoRoot | undefined
  const look = async (path: string): Promise<Looked> => {
    let looked: Looked = {code: 'EIO'}
    const onPart = (part: Looked) => {
      looked = part
    }
    const mount = coveringMount(path, mounts)
    if (mount?.fsType === 'autofs') none = {unseen: failed(`${path} lies on an automount, which a look would mount`)}
    else {
      const hungFor = mount && earlier?.get(mount.device)
      const asked: PoolAsked =
        hungFor === undefined
          ? await pool.ask('stat', {path: locate(path)}, {quietMs, signal, onPart})
          : {state: 'silent', afterMs: hungFor}
      if (asked.state === 'silent')
        none = {
          unseen: failed(`no answer from ${path} within ${asked.afterMs} ms`, asked.afterMs),
          ...(mount !== undefined && {looks: [{mountPoint: mount.mountPoint, outcome: asked}]}),
        }
      else if (asked.state !== 'answered') none = {unseen: failed(asked.why)}
    }
    return looked
  }
  const resolved = await resolvePath(root, look)
  if (none !== undefined) return none
  if (!('code' in resolved)) return resolved.path
  const {path, code} = resolved
  return {unseen: code === 'ENOENT' ? absent(`there is no ${path}`) : failed(`${path} cannot be looked at: ${code}`)}
}
