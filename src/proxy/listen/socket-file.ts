// A server on a path of its own: bound under a name that nobody knows and renamed into place, as libuv removes the name that it bound when it closes, and that
// may be somebody else's by then.
import {once} from 'node:events'
import {chmod, lstat, open, rename, rm} from 'node:fs/promises'
import {createServer, type Server} from 'node:net'
import {basename, dirname, join} from 'node:path'
import {firstLine} from '../../base/errors.ts'
import type {FileId} from '../../node/takeover/journal.ts'
import {backlog} from './backlog.ts'
import {refusal} from './free-place.ts'

export {sameFile} from '../../node/takeover/same-file.ts'

export type FileIdentity = FileId

let count = 0

/** It listens when this resolves; what was at the path is replaced. @throws UserError */
export function bindAt(path: string, server: Server, mode: number): Promise<FileIdentity> {
  return place(path, server, async (bound) => {
    await chmod(bound, mode)
    await rename(bound, path)
  })
}

/** The file alone, as a server leaves it that ends without a word. @throws UserError */
export function bindDead(path: string, mode: number): Promise<FileIdentity> {
  const server = createServer()
  return place(path, server, async (bound) => {
    await chmod(bound, mode)
    // Nobody can connect in between, and libuv removes the name that it bound.
    await rename(bound, `${bound}.`)
    server.close()
    await once(server, 'close')
    await rename(`${bound}.`, path)
  })
}

async function place(path: string, server: Server, move: (bound: string) => Promise<void>): Promise<FileIdentity> {
  const name = `.${basename(path).slice(0, 40)}.${process.pid}-${++count}`
  const bound = join(dirname(path), name)
  try {
    await using folder = await open(dirname(path), 'r')
    // The longer name would not always fit into an address.
    server.listen({path: `/proc/self/fd/${folder.fd}/${name}`, backlog})
    await once(server, 'listening')
    await move(bound)
    const identity = await identityOf(path)
    if (identity === undefined) throw new Error('it is gone already')
    return identity
  } catch (error) {
    server.close()
    await rm(bound, {force: true}).catch(() => undefined)
    const {code = firstLine(error)} = error as NodeJS.ErrnoException
    const [why, hint] = reasons[code] ?? [code, 'choose another path']
    throw refusal(path, `a socket must be made in ${dirname(path)}: ${why}`, hint)
  }
}

/** Of node's own words the path is one of ours, by which nobody knows the directory. */
const reasons: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ENOENT: ['there is no such directory', 'make the directory, or choose another path'],
  ENOTDIR: ['it is no directory', 'choose another path'],
  EACCES: ['this user may not write there', 'make it writable, or choose another path'],
  EPERM: ['this user may not write there', 'make it writable, or choose another path'],
  EROFS: ['it is mounted read-only', 'choose another path'],
  ENOSPC: ['there is no space left', 'make space, or choose another path'],
}

/** Undefined when there is nothing. */
export async function identityOf(path: string): Promise<FileIdentity | undefined> {
  try {
    const {dev, ino, birthtimeNs} = await lstat(path, {bigint: true})
    return {device: `${dev}`, inode: `${ino}`, born: `${birthtimeNs}`}
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
