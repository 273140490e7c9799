// An HTTP/2 session on a unix socket, opened by ourselves: only so can every way to fail be told apart.
import {type ClientHttp2Session, connect as connectHttp2} from 'node:http2'
import {connect as connectSocket, type Socket} from 'node:net'
import type {Clock} from '../base/clock.ts'
import {formatDuration} from '../base/duration.ts'
import {withDeadline} from './deadline.ts'
import {type FailureKind, RpcFailure} from './rpc-failure.ts'
import {connectPath} from './socket-address.ts'

/** nghttp2 takes no path as :authority, so gRPC servers on unix sockets get 'localhost', as the kubelet sends. */
export const authority = 'http://localhost'

export interface SessionOptions {
  readonly clock: Clock
  readonly connectTimeoutMs: number
  readonly signal?: AbortSignal
  /** Where the socket is reached when that is not its path: below another root, or by a shorter name. Messages have the path. */
  readonly reachedAt?: string
  /** Of the connection, as soon as it is there. */
  readonly onConnected?: (socket: Socket) => void
}

/** Resolves once the server has sent its SETTINGS: a socket that merely accepts is not a server yet. */
export async function openSession(path: string, options: SessionOptions): Promise<ClientHttp2Session> {
  const {clock, connectTimeoutMs, signal, reachedAt = path} = options
  const silent = () =>
    new RpcFailure('DEADLINE_EXCEEDED', 'silent', `${path} takes connections but has said nothing for ${formatDuration(connectTimeoutMs)}`)
  return withDeadline({clock, ms: connectTimeoutMs, expired: silent, ...(signal && {signal})}, async (within) => {
    const socket = await dial(path, reachedAt, within)
    options.onConnected?.(socket)
    return shakeHands(socket, path, within)
  })
}

function dial(path: string, reachedAt: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({path: connectPath(reachedAt), signal})
    socket.once('error', (error) => reject(signal.aborted ? signal.reason : dialFailure(path, error)))
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}

function shakeHands(socket: Socket, path: string, signal: AbortSignal): Promise<ClientHttp2Session> {
  const session = connectHttp2(authority, {createConnection: () => socket})
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      session.destroy()
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, {once: true})
    // Kept for the session's life: its streams tell of the same error, and an unheard one would end the process.
    session.on('error', (error) => reject(new RpcFailure('UNAVAILABLE', 'not-grpc', `${path} does not speak gRPC`, error)))
    session.once('close', () => reject(new RpcFailure('UNAVAILABLE', 'not-grpc', `${path} closed the connection at once`)))
    session.once('remoteSettings', () => {
      signal.removeEventListener('abort', giveUp)
      resolve(session)
    })
  })
}

const dialReasons: Readonly<Record<string, readonly [FailureKind, (path: string) => string]>> = {
  ENOENT: ['missing', (path) => `there is no socket ${path}`],
  ENOTDIR: ['missing', (path) => `there is no socket ${path}`],
  ECONNREFUSED: ['refused', (path) => `nobody listens on ${path}`],
  EACCES: ['forbidden', (path) => `this user may not open ${path}`],
  EPERM: ['forbidden', (path) => `this user may not open ${path}`],
  ENOTSOCK: ['not-a-socket', (path) => `${path} is not a socket`],
  EPROTOTYPE: ['not-a-socket', (path) => `${path} is not a stream socket`],
}

function dialFailure(path: string, error: NodeJS.ErrnoException): RpcFailure {
  const [kind, sentence] = dialReasons[error.code ?? ''] ?? ['lost', () => `${path} cannot be reached (${error.code ?? error.message})`]
  return new RpcFailure(kind === 'forbidden' ? 'PERMISSION_DENIED' : 'UNAVAILABLE', kind, sentence(path), error)
}
