// gRPC calls over a session on a unix socket: each with a deadline, and with failures in words of ours.
import type {ClientHttp2Session} from 'node:http2'
import type {Transport} from '@connectrpc/connect'
import {createGrpcTransport} from '@connectrpc/connect-node'
import {formatDuration} from '../base/duration.ts'
import {withDeadline} from './deadline.ts'
import {RpcFailure} from './rpc-failure.ts'
import {authority, openSession, type SessionOptions} from './session.ts'
import {toRpcFailure} from './status.ts'

export interface ChannelOptions extends SessionOptions {
  readonly path: string
  /** For calls that name no deadline of their own. */
  readonly callTimeoutMs: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly deadlineMs?: number
}

export interface Channel extends Disposable {
  readonly transport: Transport
  /** Closes it when all its calls have ended; one that was given up is still taken back. */
  readonly close: () => void
  /** False once the connection broke or the server said goodbye. */
  readonly isOpen: () => boolean
  /** @throws RpcFailure, or the reason of the caller's signal */
  readonly call: <T>(method: string, options: CallOptions, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

/**
 * @param maxMessageBytes of an answer.
 * @throws RpcFailure
 */
export async function openChannel(options: ChannelOptions, maxMessageBytes: number): Promise<Channel> {
  const {path, clock, callTimeoutMs} = options
  const session = await openSession(path, options)
  return {
    transport: grpcOver(session, maxMessageBytes),
    close: () => session.close(),
    isOpen: () => !session.closed && !session.destroyed,
    call: (method, {signal, deadlineMs: ms = callTimeoutMs}, work) => {
      const expired = () => new RpcFailure('DEADLINE_EXCEEDED', 'silent', `it has not answered ${method} for ${formatDuration(ms)}`)
      return withDeadline({clock, ms, expired, ...(signal && {signal})}, work).catch((error) => {
        if (signal?.aborted) throw signal.reason
        throw toRpcFailure(error, method)
      })
    },
    [Symbol.dispose]: () => session.destroy(),
  }
}

function grpcOver(session: ClientHttp2Session, maxMessageBytes: number): Transport {
  return createGrpcTransport({
    baseUrl: authority,
    readMaxBytes: maxMessageBytes,
    acceptCompression: [],
    sessionManager: {
      authority,
      request: async (method, path, headers, options) => session.request({...headers, ':method': method, ':path': path}, options),
      notifyResponseByteRead: () => undefined,
    },
  })
}
