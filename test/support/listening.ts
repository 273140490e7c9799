// Servers on unix sockets that end with the test, whatever state their connections are in.
import {createServer as createHttpServer} from 'node:http'
import {createServer, type Server, type Socket} from 'node:net'

export interface Listening extends AsyncDisposable {
  readonly path: string
}

/** @param server of node:net or of a module on top of it. @param path '@name' for an abstract socket, 'tcp:HOST:PORT' for loopback */
export async function listening(server: Server | import('node:http2').Http2Server, path: string): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    const [, host, port] = /^tcp:(.+):(\d+)$/.exec(path) ?? []
    if (host !== undefined) server.listen(Number(port), host, resolve)
    else server.listen(path.startsWith('@') ? `\0${path.slice(1)}` : path, resolve)
  })
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Takes connections and says nothing. */
export const silentServer = (path: string) => listening(createServer(), path)

/** Says something that is no HTTP/2. */
export const garbageServer = (path: string) =>
  listening(
    createServer((socket) => socket.write('220 mail.example ESMTP\r\n'.repeat(10))),
    path,
  )

/** Closes each connection at once. */
export const closingServer = (path: string) =>
  listening(
    createServer((socket) => socket.end()),
    path,
  )

/** As docker.sock: HTTP/1.1 only. */
export const http1Server = (path: string) =>
  listening(
    createHttpServer((_request, response) => response.end('hello')),
    path,
  )

/** HTTP/2 that is no gRPC: it answers each request with a page. */
export async function pageServer(path: string): Promise<Listening> {
  const {createServer: createHttp2Server} = await import('node:http2')
  return listening(
    createHttp2Server((_request, response) => {
      response.writeHead(200, {'content-type': 'text/html'})
      response.end('<html></html>')
    }),
    path,
  )
}
