// The sockets of a replay, below its folder and for its owner alone. Bound by the folder's number, as the address of a socket has 107 bytes.
import {once} from 'node:events'
import {type FileHandle, open} from 'node:fs/promises'
import {createServer, type Socket} from 'node:net'
import {basename, dirname, join} from 'node:path'
import {bindDead} from '../../proxy/listen/socket-file.ts'
import {serveGrpc} from '../../wire/serve-grpc.ts'
import type {RecordedSocket} from './recorded-node.ts'
import {replayRoutes} from './replay-routes.ts'

const mode = 0o600

/** @param physical where a path of the node lies below the root, without links */
export async function serveSockets(
  root: string,
  sockets: readonly RecordedSocket[],
  physical: (path: string) => string,
): Promise<AsyncDisposable> {
  const stack = new AsyncDisposableStack()
  try {
    for (const {path, state, calls} of sockets) {
      const place = join(root, physical(path))
      if (state === 'dead') {
        await bindDead(place, mode)
        continue
      }
      const folder = await open(dirname(place), 'r')
      stack.defer(() => folder.close())
      const bound = within(folder, place)
      stack.use(state === 'mute' ? await serveNothing(bound) : await serveGrpc({path: bound, mode, routes: replayRoutes(calls)}))
    }
    return stack.move()
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

const within = (folder: FileHandle, place: string) => `/proc/self/fd/${folder.fd}/${basename(place)}`

/** It takes connections and says nothing, as a server that hangs. */
async function serveNothing(path: string): Promise<AsyncDisposable> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
