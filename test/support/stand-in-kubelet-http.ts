// HTTP on loopback: a kubelet's endpoints, and as much of an API server as one node's pods need.

import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {planted} from './stand-in-kubelet-pods.ts'
import {nodeName} from './stand-in-kubelet-volume.ts'

export interface Answer {
  readonly type: 'application/json' | 'text/plain; charset=utf-8' | 'text/plain; version=0.0.4; charset=utf-8'
  readonly body: string
}

/** Undefined: 404. */
export type Respond = (url: URL) => Promise<Answer | undefined>

export interface Serving extends AsyncDisposable {
  readonly url: string
}

export async function serve(respond: Respond): Promise<Serving> {
  const server = createServer((request, response) => {
    respond(new URL(request.url ?? '/', 'http://127.0.0.1')).then(
      (answer) => {
        response.writeHead(answer ? 200 : 404, {'content-type': answer?.type ?? 'text/plain; charset=utf-8'})
        response.end(answer?.body ?? '404 page not found\n')
      },
      (error) => response.writeHead(500).end(`${error}\n`),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  return {url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => close(server)}
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function json(value: unknown): Answer {
  return {type: 'application/json', body: JSON.stringify(value)}
}

export function list(kind: string, items: readonly unknown[]): Answer {
  return json({kind, apiVersion: 'v1', metadata: {resourceVersion: '1'}, items})
}

export interface ApiObjects {
  readonly pods: () => readonly {readonly metadata: {readonly namespace: string}}[]
  readonly events: () => readonly unknown[]
  readonly node: () => unknown
}

/** Field selectors are taken as met: all objects are this node's. */
export function apiServer({pods, events, node}: ApiObjects): Respond {
  return async ({pathname}) => {
    const [, namespace, kind] = /^\/api\/v1\/namespaces\/([^/]+)\/(pods|events)$/.exec(pathname) ?? []
    if (pathname === '/version') return json({major: '1', minor: '26', gitVersion: 'v1.26.5'})
    if (pathname === '/api/v1/pods') return list('PodList', pods())
    if (kind === 'pods')
      return list(
        'PodList',
        pods().filter(({metadata}) => metadata.namespace === namespace),
      )
    if (pathname === '/api/v1/events' || kind === 'events') return list('EventList', events())
    if (pathname === '/api/v1/nodes') return list('NodeList', [node()])
    return pathname === `/api/v1/nodes/${nodeName}` ? json(node()) : undefined
  }
}

export function kubeconfigFor(url: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{name: 'stand-in', cluster: {server: url}}],
    users: [{name: 'node', user: {token: planted.kubeconfig}}],
    contexts: [{name: 'stand-in', context: {cluster: 'stand-in', user: 'node'}}],
    'current-context': 'stand-in',
  })
}
