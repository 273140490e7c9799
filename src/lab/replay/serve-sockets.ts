// The sockets of a replay, below its folder and for its owner alone. Links of the bundle are followed as the node would: never out of the folder.
import {once} from 'node:events'
import {type FileHandle, mkdir, mkdtemp, open, realpath, rename, rm, rmdir} from 'node:fs/promises'
import {createServer, type Socket} from 'node:net'
import {basename, dirname, join} from 'node:path'
import {firstLine, UserError} from '../../base/errors.ts'
import {shownName} from '../../node/bundle/plain-name.ts'
import {followLinks} from '../../node/follow-links.ts'
import {bindDead} from '../../proxy/listen/socket-file.ts'
import {serveGrpc} from '../../wire/serve-grpc.ts'
import type {RecordedSocket} from './recorded-node.ts'
import {replayRoutes} from './replay-routes.ts'

const mode = 0o600

/** @throws UserError when a bundle has a socket where none can be */
export async function serveSockets(root: string, sockets: readonly RecordedSocket[]): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  // Of a name that no bundle can know, so that it holds nothing but these.
  const made = stack.adopt(await mkdtemp(join(root, '.kl-')), (folder) => rm(folder, {recursive: true, force: true}))
  const folder = stack.adopt(await open(made, 'r'), (handle) => handle.close())
  for (const [index, socket] of sockets.entries()) {
    try {
      stack.use(await serveSocket(root, socket, within(folder, `${index}`)))
    } catch (error) {
      throw error instanceof UserError ? error : noPlace(socket.path, error)
    }
  }
  await rmdir(made)
  return stack.move()
}

async function serveSocket(root: string, {path, state, calls}: RecordedSocket, bound: string): Promise<AsyncDisposable> {
  const place = await placeOf(root, path)
  if (state === 'dead') {
    await bindDead(place, mode)
    return {[Symbol.asyncDispose]: async () => undefined}
  }
  await using stack = new AsyncDisposableStack()
  stack.use(state === 'mute' ? await serveNothing(bound) : await serveGrpc({path: bound, mode, routes: replayRoutes(calls)}))
  await rename(bound, place)
  return stack.move()
}

async function placeOf(root: string, path: string): Promise<string> {
  if (path.includes('\0')) throw noPlace(path, new Error('a zero byte is in it'))
  const own = await realpath(root)
  const locate = (each: string) => join(own, each)
  const place = locate(await followLinks(path, locate, async () => undefined))
  const folder = dirname(place)
  await mkdir(folder, {recursive: true})
  if ((await realpath(folder)) === folder && `${folder}/`.startsWith(`${own}/`)) return place
  throw noPlace(path)
}

function noPlace(path: string, error?: unknown): UserError {
  const why = error === undefined ? '' : ` (${firstLine(error).split(',', 1)})`
  return new UserError(
    `Cannot replay it as each of its sockets must have a place of its own in a folder: ${shownName(path)} has none${why}`,
    {
      hint: 'its sockets are in the lines of the recording; of a bundle in csi/*.jsonl and runtime/answers.json',
      cause: error,
    },
  )
}

/** By the folder's number and a short name at first: the address of a socket has 107 bytes. */
const within = (folder: FileHandle, name: string) => `/proc/self/fd/${folder.fd}/${basename(name)}`

/** It takes connections and says nothing, as a server that hangs. */
async function serveNothing(path: string): Promise<AsyncDisposable> {
  const connected = new Set<Socket>()
  const server = createServer((socket) => {
    connected.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => connected.delete(socket))
  })
  // Nobody but us may find it before it has its own mode: the folder is ours alone.
  server.listen(path)
  await once(server, 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const socket of connected) socket.destroy()
    },
  }
}
