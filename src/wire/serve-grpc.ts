// A gRPC server on a unix socket. The calls themselves (framing, compression, status, trailers) are connect's, the socket and HTTP/2 are ours.
import {once} from 'node:events'
import {rm} from 'node:fs/promises'
import {createServer} from 'node:http2'
import type {Socket} from 'node:net'
import type {ConnectRouter} from '@connectrpc/connect'
import {connectNodeAdapter} from '@connectrpc/connect-node'

export interface GrpcServerOptions {
  /** Of the socket; what lies there is removed first. */
  readonly path: string
  readonly routes: (router: ConnectRouter) => void
  /** Of each connection, before anything is read of it. */
  readonly onConnection?: (socket: Socket) => void
}

export interface GrpcServer extends AsyncDisposable {
  readonly path: string
}

/** Listens when it resolves. Disposing of it ends all connections and removes the socket. */
export async function serveGrpc({path, routes, onConnection}: GrpcServerOptions): Promise<GrpcServer> {
  await rm(path, {force: true})
  const server = createServer(connectNodeAdapter({routes, grpcWeb: false, connect: false}))
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    onConnection?.(socket)
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await rm(path, {force: true})
    },
  }
}
