// A gRPC server of a test that remembers how each call came and how it went: the deadline that it was sent with, and whether its client took it back.
import {createServer} from 'node:http2'
import type {ConnectRouter} from '@connectrpc/connect'
import {connectNodeAdapter} from '@connectrpc/connect-node'
import {type Listening, listening} from './listening.ts'
import {unimplemented} from './unimplemented.ts'

export interface RecordedCall {
  /** '/runtime.v1.RuntimeService/Version' */
  readonly path: string
  readonly timeout: string | undefined
  /** HTTP/2's code of the client's RST_STREAM. */
  reset?: number
}

export interface RecordingServer extends Listening {
  readonly calls: readonly RecordedCall[]
  readonly connections: () => number
}

export async function recordingServer(path: string, routes: (router: ConnectRouter) => void): Promise<RecordingServer> {
  const calls: RecordedCall[] = []
  let connections = 0
  const server = createServer(connectNodeAdapter({routes, fallback: unimplemented, grpcWeb: false, connect: false}))
  server.on('session', () => {
    connections++
  })
  server.on('stream', (stream, headers) => {
    const call: RecordedCall = {path: String(headers[':path']), timeout: headers['grpc-timeout']?.toString()}
    calls.push(call)
    stream.on('aborted', () => {
      call.reset = stream.rstCode
    })
  })
  return {...(await listening(server, path)), calls, connections: () => connections}
}
