// What the kubelet tells over HTTP, on TCP loopback: as its read-only port does, and /runningpods and /configz beside that. Upstream: pkg/kubelet/server/server.go
import {createServer, type ServerResponse} from 'node:http'
import type {AddressInfo, Socket} from 'node:net'
import type {Clock} from '../../base/clock.ts'
import {firstLine} from '../../base/errors.ts'
import type {Kubelet} from '../../kubelet/kubelet.ts'
import type {KubeletConfig} from '../../kubelet/ports.ts'
import type {Json, JsonObject} from '../api/json.ts'
import {podDocument} from '../api/pod-document.ts'
import {asWritten} from '../api-server/as-written.ts'
import {kubeletMetricsText} from './kubelet-metrics.ts'

export interface KubeletServerOptions {
  readonly kubelet: Pick<Kubelet, 'pods' | 'volumes' | 'loopEnteredAt'>
  readonly runningPods: () => Promise<readonly JsonObject[]>
  /** In the text format, of the calls that it made. */
  readonly csiMetrics: () => string
  readonly clock: Clock
  readonly nodeName: string
  /** '1.26.5' */
  readonly version: string
  readonly config: KubeletConfig
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Default: a free one. */
  readonly tcpPort?: number
}

export interface KubeletServer extends AsyncDisposable {
  /** 'http://127.0.0.1:40124' */
  readonly url: string
  readonly tcpPort: number
}

interface Reply {
  readonly code: number
  readonly type: string
  readonly body: string
}

const plain = 'text/plain; charset=utf-8'
/** Upstream: syncLoopHealthCheck, at the least */
const longestTurn = 300_000

export async function serveKubelet(options: KubeletServerOptions): Promise<KubeletServer> {
  const {tcpPort = 0} = options
  const answer = async (method: string, target: string): Promise<Reply> => {
    const {pathname} = new URL(target, 'http://kubelet')
    if (method !== 'GET' && method !== 'HEAD') return {code: 405, type: plain, body: '405: Method Not Allowed'}
    return (await replies[pathname.replace(/(?<=.)\/$/, '')]?.(options)) ?? {code: 404, type: plain, body: '404 page not found\n'}
  }
  const http = createServer((message, response) => {
    answer(message.method ?? '', message.url ?? '/').then(
      (reply) => send(response, reply),
      // The runtime's failure, say.
      (error) => send(response, {code: 500, type: plain, body: firstLine(error)}),
    )
  })
  const sockets = new Set<Socket>()
  http.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(tcpPort, '127.0.0.1', resolve)
  })
  const {port} = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    tcpPort: port,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => http.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const replies: Readonly<Record<string, (options: KubeletServerOptions) => Reply | Promise<Reply>>> = {
  '/healthz': health,
  '/healthz/syncloop': health,
  '/healthz/ping': () => ({code: 200, type: plain, body: 'ok'}),
  '/pods': ({kubelet, nodeName}) => podList(kubelet.pods().map((pod) => asServed(asWritten(pod) ?? podDocument(pod, nodeName)))),
  '/runningpods': async ({runningPods}) => podList(await runningPods()),
  '/configz': ({config}) => json({kubeletconfig: {kind: 'KubeletConfiguration', apiVersion: 'kubelet.config.k8s.io/v1beta1', ...config}}),
  '/metrics': async ({kubelet, version, startedAt, runningPods, csiMetrics}) => ({
    code: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
    body: csiMetrics() + kubeletMetricsText({version, startedAt, volumes: kubelet.volumes(), running: await runningPods()}),
  }),
}

function health({kubelet, clock}: KubeletServerOptions): Reply {
  const entered = kubelet.loopEnteredAt()
  if (entered === 0 || clock.now() <= entered + longestTurn) return {code: 200, type: plain, body: 'ok'}
  return {code: 500, type: plain, body: '[+]ping ok\n[-]syncloop failed: reason withheld\nhealthz check failed\n'}
}

/** In a list each is a pod without being told. */
function asServed({kind: _, apiVersion: __, ...pod}: JsonObject): JsonObject {
  return pod
}

const podList = (items: readonly JsonObject[]): Reply => json({kind: 'PodList', apiVersion: 'v1', metadata: {}, items})

const json = (value: Json | {readonly kubeletconfig: object}): Reply => ({code: 200, type: 'application/json', body: JSON.stringify(value)})

function send(response: ServerResponse, {code, type, body}: Reply): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(code, {'content-type': type, 'content-length': Buffer.byteLength(body)})
  response.end(body)
}
