// The API server as the kubelet calls it, over HTTP.
import type {Clock} from '../../base/clock.ts'
import type {BoundClaim, Pod} from '../../kubelet/pod.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {ApiMethods, ApiPort} from '../../kubelet/ports.ts'
import type {JsonObject} from '../api/json.ts'
import {modelPod} from '../api/pod-document.ts'
import {podStatusDocument} from '../api/pod-status-document.ts'
import {withWritten} from '../api-server/as-written.ts'
import {boundClaim} from './bound-claim.ts'
import type {RestClient} from './rest-client.ts'
import {watchPods} from './watch-pods.ts'

export interface RemoteApiOptions {
  readonly client: RestClient
  readonly clock: Clock
  readonly nodeName: string
}

type Call = {
  [Method in keyof ApiMethods as string extends Method ? never : Method]: (
    request: ApiMethods[Method]['request'],
    signal: AbortSignal | undefined,
  ) => Promise<ApiMethods[Method]['response']>
}

export function remoteApi({client, clock, nodeName}: RemoteApiOptions): ApiPort {
  // The kubelet tells others of it as it was told. Not of its status: that is its own to write.
  const podOf = (document: unknown): Pod => withWritten(modelPod(document as JsonObject), document as JsonObject)
  const calls: Call = {
    'GET pod': async (request, signal) => podOf(await client.call({method: 'GET', path: podPath(request), ...(signal && {signal})})),
    'PATCH pod/status': async ({uid, status, ...pod}, signal) =>
      podOf(
        await client.call({
          method: 'PATCH',
          path: `${podPath(pod)}/status`,
          contentType: 'application/strategic-merge-patch+json',
          body: {metadata: {uid}, status: {$patch: 'replace', ...podStatusDocument(status)}},
          ...(signal && {signal}),
        }),
      ),
    'GET persistentvolumeclaim': async (request, signal): Promise<BoundClaim> => boundClaim(client, request, signal),
    'DELETE pod': ({uid, gracePeriodSeconds, ...pod}, signal) =>
      client.call({
        method: 'DELETE',
        path: podPath(pod),
        body: {kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds, preconditions: {uid}},
        ...(signal && {signal}),
      }),
  }
  return {
    call: (method, request, {signal}) => {
      const call = calls[method as keyof Call] as ((request: object, signal: AbortSignal | undefined) => Promise<never>) | undefined
      if (call === undefined) throw new CallFailure('NotFound', `the server could not find the requested resource (${method})`)
      return call(request, signal)
    },
    watchPods: (onEvent, signal) => void watchPods({client, clock, nodeName, podOf, onEvent, signal}),
  }
}

const podPath = ({namespace, name}: {readonly namespace: string; readonly name: string}): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`
