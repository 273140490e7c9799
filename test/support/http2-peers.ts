// Our HTTP/2 and node:http2 on a real unix socket, for tests that hold one against the other.
import {once} from 'node:events'
import * as node from 'node:http2'
import {connect, createServer} from 'node:net'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {type ClientConnection, openConnection} from '../../src/http2/client-connection.ts'
import type {ConnectionOptions} from '../../src/http2/connection-role.ts'
import {type ServerOptions, serveConnection} from '../../src/http2/server-connection.ts'
import {tempDir} from './socket-dir.ts'

/** The path of the socket of a server of ours. */
export async function ourServer(options: ServerOptions): Promise<string> {
  const path = join(tempDir(), 's')
  const server = createServer((socket) => serveConnection(socket, options))
  onTestFinished(() => void server.close())
  await once(server.listen(path), 'listening')
  return path
}

export async function nodeServer(
  onStream: (stream: node.ServerHttp2Stream, headers: node.IncomingHttpHeaders) => void,
  settings = {},
): Promise<string> {
  const path = join(tempDir(), 's')
  const server = node.createServer({settings})
  server.on('stream', onStream)
  onTestFinished(() => void server.close())
  await once(server.listen(path), 'listening')
  return path
}

export function ourClient(path: string, options: ConnectionOptions = {}): ClientConnection {
  const socket = connect(path)
  const client = openConnection(socket, options)
  onTestFinished(() => {
    client.destroy()
    socket.destroy()
  })
  return client
}

export function nodeClient(path: string, settings: node.Settings = {}): node.ClientHttp2Session {
  const session = node.connect('http://localhost', {createConnection: () => connect(path), settings})
  session.on('error', () => undefined)
  onTestFinished(() => session.destroy())
  return session
}
