// Looks at a socket before it is dialled: connect(2) says of a file that nobody listens on it.
import type {Stats} from 'node:fs'
import {open, stat} from 'node:fs/promises'
import {longestSocketPath} from '../../wire/socket-address.ts'
import type {SocketAnswer} from './sockets.ts'

/** A socket that is there. */
export interface FoundSocket {
  /** As it was named, on the host. */
  readonly path: string
  /** Two names of one socket have the same. */
  readonly id: string
  /** Where we open it. */
  readonly place: string
}

/**
 * Where a path of the host is to be opened by us: without links, and only on a file system that answers.
 * @throws the system's error
 */
export type PlaceOf = (path: string) => Promise<string>

export type NotThere = Exclude<SocketAnswer, {readonly state: 'answers'}>

/** @param path absolute, or '@name' for an abstract socket. */
export async function lookAtSocket(path: string, placeOf: PlaceOf): Promise<FoundSocket | NotThere> {
  if (path.includes('\0')) return {state: 'failed', why: 'the path of a socket must have no NUL: it has one'}
  if (path.startsWith('@')) return abstractSocket(path)
  if (!path.startsWith('/')) return {state: 'failed', why: `the path of a socket must be absolute: it is '${path}'`}
  try {
    const place = await placeOf(path)
    const stats = await stat(place)
    if (!stats.isSocket()) return {state: 'not-socket', why: `${path} is ${kindOf(stats)}, not a socket`}
    return {path, id: `${stats.dev}:${stats.ino}`, place}
  } catch (error) {
    return notThere(path, (error as NodeJS.ErrnoException).code)
  }
}

function abstractSocket(path: string): FoundSocket | NotThere {
  const bytes = Buffer.byteLength(path.slice(1))
  if (bytes <= longestSocketPath) return {path, id: path, place: path}
  return {state: 'failed', why: `the name of an abstract socket must have at most ${longestSocketPath} bytes: it has ${bytes}`}
}

function notThere(path: string, code: string | undefined): NotThere {
  if (code === 'ENOENT' || code === 'ENOTDIR') return {state: 'missing', why: `there is no socket ${path}`}
  if (code === 'EACCES' || code === 'EPERM') return {state: 'denied', why: `this user may not look at ${path}`}
  return {state: 'failed', why: `${path} cannot be looked at (${code ?? 'no reason'})`}
}

function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'a regular file'
  if (stats.isDirectory()) return 'a directory'
  return stats.isFIFO() ? 'a FIFO' : 'a device'
}

/** Linux only, and not among node's constants: a handle on the file itself, without opening it. */
const O_PATH = 0o10000000

/**
 * Works with a path that connect(2) takes: it takes 107 bytes, the file system 4095.
 * @throws the system's error
 */
export async function withinReach<T>({place}: FoundSocket, work: (reachedAt: string) => Promise<T>): Promise<T> {
  if (place.startsWith('@') || Buffer.byteLength(place) <= longestSocketPath) return await work(place)
  const handle = await open(place, O_PATH)
  try {
    return await work(`/proc/self/fd/${handle.fd}`)
  } finally {
    await handle.close()
  }
}
