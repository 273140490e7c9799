// What the kubelet's server and the API server said, on one port of the loopback address, to who has the token. Nothing but GET.
import {timingSafeEqual} from 'node:crypto'
import {once} from 'node:events'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {createServer} from 'node:https'
import type {AddressInfo} from 'node:net'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {newToken} from '../api/kubeconfig.ts'
import {selfSigned} from '../api/self-signed.ts'
import {rawOf} from './node-tree.ts'

export interface ServedHttp extends AsyncDisposable {
  readonly url: string
  readonly token: string
  /** PEM */
  readonly authority: string
}

interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
}

export async function serveHttp(bundle: Snapshot, now: number, random: (size: number) => Uint8Array): Promise<ServedHttp> {
  const {key, cert} = selfSigned(now, random)
  const token = newToken(random)
  const pages = pagesOf(bundle)
  const server = createServer({key, cert}, (request, response) => answer(pages, token, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    authority: cert,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function answer(pages: ReadonlyMap<string, Page>, token: string, request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '/').replace(/\?.*/s, '').replace(/(?<=.)\/$/, '')
  const {status, type, body} = !knows(request.headers.authorization, token)
    ? refusal(401, 'Unauthorized')
    : request.method !== 'GET'
      ? refusal(405, 'a replay is read-only')
      : (pages.get(path) ?? refusal(404, 'not in the bundle'))
  response.writeHead(status, {'content-type': type, 'content-length': Buffer.byteLength(body)})
  response.end(body)
}

function knows(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

const refusal = (status: number, body: string): Page => ({status, type: 'text/plain', body: `${body}\n`})

function pagesOf(bundle: Snapshot): ReadonlyMap<string, Page> {
  const {node, readings} = bundle
  const pages = new Map<string, Page>()
  const raw = (path: string, name: keyof Snapshot['readings'], type = 'application/json') => {
    if (readings[name].state === 'read') pages.set(path, {status: 200, type, body: rawOf(bundle, name)})
  }
  raw('/pods', 'kubelet.pods')
  raw('/runningpods', 'kubelet.runningpods')
  raw('/metrics', 'kubelet.metrics', 'text/plain; version=0.0.4')
  raw('/api/v1/pods', 'api.pods')
  raw('/api/v1/events', 'api.events')
  const health = known(readings['kubelet.healthz'])
  if (health !== undefined) pages.set('/healthz', {status: health.ok ? 200 : 500, type: 'text/plain', body: health.text})
  const status = known(readings['api.node'])
  if (status !== undefined) {
    const {name, volumesInUse, volumesAttached, kubeletVersion} = status
    const object = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {name},
      status: {
        volumesInUse,
        volumesAttached: volumesAttached.map((each) => ({name: each})),
        ...(kubeletVersion && {nodeInfo: {kubeletVersion}}),
      },
    }
    for (const each of new Set([name, node]))
      pages.set(`/api/v1/nodes/${encodeURIComponent(each)}`, {status: 200, type: 'application/json', body: JSON.stringify(object)})
  }
  return pages
}
