// A server's socket by its inode: it is reached whatever its name is at the moment, and nothing else is ever taken for it.
import {constants} from 'node:fs'
import {open} from 'node:fs/promises'
import type {FileId} from '../../node/takeover/journal.ts'

export interface PinnedSocket extends AsyncDisposable {
  readonly id: FileId
  /** For connect(2). */
  readonly path: string
}

/** Node has no name for it: open(2), a place in the tree and nothing more. */
const oPath = 0o10000000

/** @throws the system's error */
export async function pinSocket(path: string): Promise<PinnedSocket> {
  const handle = await open(path, oPath | constants.O_NOFOLLOW)
  try {
    const stat = await handle.stat({bigint: true})
    if (!stat.isSocket()) throw Object.assign(new Error('it is no socket'), {code: 'ENOTSOCK'})
    return {
      id: {device: `${stat.dev}`, inode: `${stat.ino}`, born: `${stat.birthtimeNs}`},
      path: `/proc/self/fd/${handle.fd}`,
      [Symbol.asyncDispose]: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}
