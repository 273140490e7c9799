// The API server over HTTP, as JSON. Upstream: client-go/rest
import {type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage} from 'node:http'
import {Agent as HttpsAgent, request as httpsRequest} from 'node:https'
import type {Socket} from 'node:net'
import {text} from 'node:stream/consumers'
import {CallFailure} from '../../kubelet/port.ts'

export interface RestClientOptions {
  /** 'http://127.0.0.1:6443' */
  readonly url: string
  readonly token: string
  /** Of an https server: who signed its certificate, in PEM. */
  readonly ca?: string
  /** Of each connection, as soon as it is there. */
  readonly onConnected?: (socket: Socket) => void
}

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query: '/api/v1/pods?watch=true'. */
  readonly path: string
  readonly body?: object
  /** Default: application/json. */
  readonly contentType?: string
  readonly signal?: AbortSignal
}

export interface RestClient extends Disposable {
  /** @throws CallFailure with the reason of the server's Status, or UNAVAILABLE when there was no answer */
  call(request: RestRequest): Promise<unknown>
  /** Each line of a watch, as it comes; ends when the server ends it. @throws CallFailure as call() */
  lines(request: RestRequest): AsyncIterable<unknown>
}

export function restClient({url, token, ca, onConnected}: RestClientOptions): RestClient {
  const {protocol, hostname: host, port} = new URL(url)
  const [Agent, request] = protocol === 'https:' ? [HttpsAgent, httpsRequest] : [HttpAgent, httpRequest]
  const agent = new Agent({keepAlive: true, ...(ca !== undefined && {ca})})
  const send = ({method, path, body, contentType = 'application/json', signal}: RestRequest): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const outgoing: ClientRequest = request({
        agent,
        host,
        port,
        method,
        path,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(content && {'content-type': contentType, 'content-length': content.length}),
        },
        ...(signal && {signal}),
      })
      // The agent uses a connection more than once.
      if (onConnected !== undefined)
        outgoing.once('socket', (socket) => socket.connecting && socket.once('connect', () => onConnected(socket)))
      outgoing.once('response', resolve)
      outgoing.once('error', (error) => reject(failureOf(error, signal)))
      outgoing.end(content)
    })
  return {
    call: async (request) => {
      const response = await send(request)
      const content = await text(response).catch((error) => {
        throw failureOf(error, request.signal)
      })
      return answerOf(response, content)
    },
    lines: async function* (request) {
      const response = await send(request)
      if (response.statusCode !== 200) answerOf(response, await text(response))
      let rest = ''
      try {
        for await (const chunk of response.setEncoding('utf8')) {
          const lines = `${rest}${chunk}`.split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) if (line !== '') yield parsed(line)
        }
      } catch (error) {
        throw error instanceof CallFailure ? error : failureOf(error, request.signal)
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

function answerOf({statusCode = 0, statusMessage = ''}: IncomingMessage, content: string): unknown {
  const ok = statusCode >= 200 && statusCode < 300
  const answer = ok ? parsed(content) : tryParsed(content)
  if (ok) return answer
  const {reason, message} = (answer ?? {}) as {readonly reason?: unknown; readonly message?: unknown}
  throw new CallFailure(
    typeof reason === 'string' && reason !== '' ? reason : `HTTP ${statusCode}`,
    typeof message === 'string' ? message : `the server answered ${statusCode} ${statusMessage}`,
  )
}

function parsed(text: string): unknown {
  const value = tryParsed(text)
  if (value === undefined) throw new CallFailure('InternalError', 'the server sent something that is no JSON')
  return value
}

function tryParsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failureOf(error: unknown, signal: AbortSignal | undefined): CallFailure {
  if (signal?.aborted) return new CallFailure('CANCELLED', 'context canceled')
  return new CallFailure('UNAVAILABLE', error instanceof Error ? error.message : String(error))
}
