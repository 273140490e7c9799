// The lab's API server on TCP loopback, in HTTP/1.1, plain or over TLS: for kubectl and for real kubelets.
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo, Socket} from 'node:net'
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import {firstLine} from '../../base/errors.ts'
import {CallFailure, type Port} from '../../kubelet/port.ts'
import type {ApiMethods} from '../../kubelet/ports.ts'
import type {ApiServer} from '../api-server/api-server.ts'
import {ApiError, unauthorized} from './api-status.ts'
import {apiWorld} from './api-world.ts'
import {callerOf, type Tokens} from './callers.ts'
import {kubeconfig} from './kubeconfig.ts'
import {isReset, kubeletCalls} from './kubelet-calls.ts'
import {readBody} from './read-body.ts'
import {type ApiReply, json} from './request.ts'
import {router} from './router.ts'
import type {Certificate} from './self-signed.ts'
import {versionInfo} from './version-info.ts'

export interface ApiOptions {
  readonly server: ApiServer
  /** The kubelet's way to the server, with the faults on it. */
  readonly port: Port<ApiMethods>
  readonly clock: Clock
  readonly dice: Dice
  readonly tokens: Tokens
  /** Default: a free one. */
  readonly tcpPort?: number
  /** Where a pod runs that names no node. Default: lab. */
  readonly nodeName?: string
  /** The node is there although no kubelet registers it. Default: true. */
  readonly seedNode?: boolean
  /** Commands that the lab's fake runtime cannot run are refused. Default: true. */
  readonly validatePrograms?: boolean
  /** 'v1.37.2' */
  readonly version?: string
  /** With one it speaks TLS, and tokens are in no address. */
  readonly certificate?: Certificate
  readonly onConnection?: (socket: Socket) => void
}

export interface ApiEndpoint extends AsyncDisposable {
  /** 'http://127.0.0.1:40123' */
  readonly url: string
  kubeconfigFor(token: string): string
}

export async function serveApi(options: ApiOptions): Promise<ApiEndpoint> {
  const {server, port, clock, tokens, tcpPort = 0, nodeName = 'lab', version = 'v1.37.2'} = options
  const {seedNode = true, validatePrograms = true, certificate, onConnection} = options
  const dice = options.dice.of('api on http')
  const world = await apiWorld({server, clock, dice, nodeName, seedNode, validatePrograms, kubeletVersion: version})
  let address = ''
  const kubelet = kubeletCalls({server, port, nodeName})
  const route = router({world, kubelet, version: versionInfo(version), address: () => address})

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<ApiReply | undefined> => {
    const {pathname, searchParams} = new URL(message.url ?? '/', 'http://lab')
    const {accept = '', authorization = '', 'content-type': type = ''} = message.headers
    const open = /^\/(healthz|livez|readyz|version)(\/|$)/.test(pathname)
    const by = callerOf(authorization, tokens) ?? (open ? 'user' : undefined)
    if (by === undefined) throw unauthorized()
    const gone = new AbortController()
    response.once('close', () => gone.abort(new Error('the client has gone')))
    const bytes = await readBody(message)
    return route(
      {
        method: message.method ?? '',
        path: pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname,
        query: searchParams,
        accept,
        contentType: (type.split(';', 1)[0] ?? '').trim().toLowerCase(),
        body: bytes.toString(),
        bytes,
        by,
        signal: gone.signal,
      },
      response,
    )
  }
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const reply = await answer(message, response)
      if (reply !== undefined) send(response, reply)
    } catch (error) {
      if (isReset(error) || (error instanceof CallFailure && error.code === 'CANCELLED')) response.destroy()
      else send(response, refusal(error))
    }
  }

  const listener = (message: IncomingMessage, response: ServerResponse) => void serve(message, response)
  const http = certificate === undefined ? createServer(listener) : createTlsServer({...certificate}, listener)
  http.keepAliveTimeout = 90_000
  const sockets = new Set<Socket>()
  http.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    onConnection?.(socket)
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(tcpPort, '127.0.0.1', resolve)
  })
  address = `127.0.0.1:${(http.address() as AddressInfo).port}`
  const url = `${certificate === undefined ? 'http' : 'https'}://${address}`
  return {
    url,
    kubeconfigFor: (token) => kubeconfig(url, token, certificate?.cert),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => http.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function send(response: ServerResponse, {code, type, body}: ApiReply): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(code, {'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-cache, private'})
  response.end(body)
}

/** Anything but an ApiError is our own bug: the client hears of it. */
function refusal(error: unknown): ApiReply {
  const said = error instanceof ApiError ? error : new ApiError(500, 'InternalError', `Internal error occurred: ${firstLine(error)}`)
  return json(said.status, said.code)
}
