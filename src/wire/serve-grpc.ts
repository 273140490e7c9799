// A gRPC server on a unix socket. The calls themselves (framing, compression, status, trailers) are connect's, the socket and HTTP/2 are ours,
// as node:http2 takes no path for an :authority, which kubelets up to 1.29 and crictl send.
import {once} from 'node:events'
import {chmod, rm} from 'node:fs/promises'
import {createServer, type Socket} from 'node:net'
import {type ConnectRouter, createConnectRouter} from '@connectrpc/connect'
import {compressionGzip} from '@connectrpc/connect-node'
import {type ServerConnection, serveConnection} from '../http2/server-connection.ts'
import {answerCall, type GrpcMethods} from './grpc-call.ts'

export interface GrpcServerOptions {
  /** Of the socket; what lies there is removed first. */
  readonly path: string
  readonly routes: (router: ConnectRouter) => void
  /** Of each connection, before anything is read of it. */
  readonly onConnection?: (socket: Socket) => void
  /** Of the socket's file, such as 0o600; default: as the process's umask has it. */
  readonly mode?: number
}

export interface GrpcServer extends AsyncDisposable {
  readonly path: string
}

/** Listens when it resolves. Disposing of it ends all connections and removes the socket. */
export async function serveGrpc({path, routes, onConnection, mode}: GrpcServerOptions): Promise<GrpcServer> {
  await rm(path, {force: true})
  const methods = methodsOf(routes)
  const connections = new Map<Socket, ServerConnection>()
  const server = createServer((socket) => {
    onConnection?.(socket)
    connections.set(socket, serveConnection(socket, {onStream: (stream, request) => answerCall(stream, request, methods), ...limits}))
    socket.once('close', () => connections.delete(socket))
  })
  server.listen(path)
  await once(server, 'listening')
  if (mode !== undefined) await chmod(path, mode)
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      server.close()
      // GOAWAY is with the kernel before the socket is gone.
      for (const [socket, connection] of connections) {
        connection.destroy()
        socket.destroy()
      }
      await rm(path, {force: true})
    },
  }
}

/**
 * Messages may have 16 MiB, and pass in one go. Calls that hang must not hold up others: grpc-go's servers take any number of streams, and
 * when all that hung go on at once, their answers are much.
 */
const limits = {streamWindow: 1024 * 1024, connectionWindow: 16 * 1024 * 1024, maxConcurrentStreams: 10_000, maxOwed: 16 * 1024 * 1024}

function methodsOf(routes: (router: ConnectRouter) => void): GrpcMethods {
  const router = createConnectRouter({connect: false, grpcWeb: false, acceptCompression: [compressionGzip]})
  routes(router)
  return {
    handlers: new Map(router.handlers.map((handler) => [handler.requestPath, handler])),
    services: new Set(router.handlers.map(({service}) => service.typeName)),
  }
}
