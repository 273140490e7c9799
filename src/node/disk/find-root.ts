// The kubelet's root, with its links resolved, as a stat worker sees it.
import type {Mount} from '../mountinfo.ts'
import {absent, failed, type Reading} from '../reading.ts'
import {coveringMount} from './mount-points.ts'
import type {Looked} from './protocol.ts'
import {resolvePath} from './resolve-path.ts'
import type {WorkerPool} from './worker-pool.ts'

export interface FindRootOptions {
  readonly root: string
  readonly locate: (path: string) => string
  readonly mounts: readonly Mount[] | undefined
  readonly pool: WorkerPool
  readonly quietMs: number
  readonly signal: AbortSignal
}

/** Its real path, or why there is nothing to read. */
export async function findRoot({root, locate, mounts = [], pool, quietMs, signal}: FindRootOptions): Promise<string | Reading<never>> {
  let unseen: Reading<never> | undefined
  const look = async (path: string): Promise<Looked> => {
    let looked: Looked = {code: 'EIO'}
    const onPart = (part: Looked) => {
      looked = part
    }
    if (coveringMount(path, mounts)?.fsType === 'autofs') unseen = failed(`${path} lies on an automount, which a look would mount`)
    else {
      const asked = await pool.ask('stat', {path: locate(path)}, {quietMs, signal, onPart})
      if (asked.state === 'silent') unseen = failed(`no answer from ${path} within ${asked.afterMs} ms`, asked.afterMs)
      else if (asked.state !== 'answered') unseen = failed(asked.why)
    }
    return looked
  }
  const resolved = await resolvePath(root, look)
  if (unseen !== undefined) return unseen
  if (!('code' in resolved)) return resolved.path
  return resolved.code === 'ENOENT'
    ? absent(`there is no ${resolved.path}`)
    : failed(`${resolved.path} cannot be looked at: ${resolved.code}`)
}
