// The calls of the kubelet's that rules may be about: they take the way that its direct port takes, whatever the client.
import type {BoundClaim, Pod} from '../../kubelet/pod.ts'
import {CallFailure, type Port} from '../../kubelet/port.ts'
import type {ApiMethods} from '../../kubelet/ports.ts'
import type {ApiServer} from '../api-server/api-server.ts'
import {withLateStatus} from '../api-server/as-written.ts'
import {ApiError, fromFailure} from './api-status.ts'
import type {ApiWorld} from './api-world.ts'
import {deletionOf, documentOf} from './bodies.ts'
import {keyOf} from './collection.ts'
import {isObject, type JsonObject, object, text} from './json.ts'
import {updatedDocument} from './object-meta.ts'
import {patchOf} from './patches.ts'
import {podDocument, podFromDocument} from './pod-document.ts'
import {podStatusFromDocument} from './pod-status-document.ts'
import {objectReply} from './reads.ts'
import type {ApiReply, ApiRequest} from './request.ts'
import type {Target} from './request-path.ts'
import {succeeded} from './writes.ts'

export interface KubeletParts {
  readonly server: ApiServer
  readonly port: Port<ApiMethods>
  readonly nodeName: string
}

/** Undefined: it is none of them. */
export type KubeletCalls = (world: ApiWorld, request: ApiRequest, target: Target) => Promise<ApiReply> | undefined

export function kubeletCalls({server, port, nodeName}: KubeletParts): KubeletCalls {
  const call = async <Method extends keyof ApiMethods & string>(
    {signal}: ApiRequest,
    {kind, name = ''}: Target,
    method: Method,
    message: ApiMethods[Method]['request'],
  ): Promise<ApiMethods[Method]['response']> => {
    try {
      return await port.call(method, message, {timeoutMs: Number.POSITIVE_INFINITY, signal})
    } catch (error) {
      if (!(error instanceof CallFailure) || isReset(error)) throw error
      throw fromFailure(kind, name, error)
    }
  }
  const podReply = (world: ApiWorld, request: ApiRequest, target: Target, pod: unknown): ApiReply =>
    objectReply(world, request, target, isPod(pod) ? podDocument(pod, nodeName) : isObject(pod) ? pod : succeeded(target.kind, {}))

  const patchStatus = async (world: ApiWorld, request: ApiRequest, target: Target): Promise<ApiReply> => {
    const {namespace = '', name = '', kind} = target
    const replaced = request.method === 'PUT' ? documentOf(request) : undefined
    const change = replaced === undefined ? patchOf(kind, request) : () => replaced
    const changed = (document: JsonObject) => updatedDocument(kind, document, change(document), 'status')
    const there = server.get(`${namespace}/${name}`)
    const uid = preconditionIn(request) ?? there?.metadata.uid ?? ''
    // As far as can be said now: rules look at it.
    const wanted = there === undefined ? podFromDocument(change({})) : podFromDocument(change(podDocument(there, nodeName)))
    const late = (pod: Pod) => {
      const document = podDocument(pod, nodeName)
      const next = inPort(() => changed(document))
      return next === document ? pod.status : podStatusFromDocument(object(next, 'status'))
    }
    const message = withLateStatus({namespace, name, uid, status: wanted.status}, late)
    return podReply(world, request, target, await call(request, target, 'PATCH pod/status', message))
  }

  const getClaim = async (world: ApiWorld, request: ApiRequest, target: Target): Promise<ApiReply> => {
    const {namespace = '', name = '', kind} = target
    const document = world.of(kind).get(keyOf(namespace, name))
    const bound = (each: BoundClaim) => each.namespace === namespace && each.name === name
    try {
      await call(request, target, 'GET persistentvolumeclaim', {namespace, name})
    } catch (error) {
      // The port knows of bound claims only: an unbound one is there, too.
      if (document === undefined || server.claims().some(bound) || !(error instanceof ApiError) || error.code !== 404) throw error
    }
    return objectReply(world, request, target, document ?? {})
  }

  return (world, request, target) => {
    const {kind, namespace = '', name, subresource} = target
    const what = `${request.method} ${kind.resource}${subresource === undefined ? '' : `/${subresource}`}`
    if (name === undefined) return undefined
    if (what === 'GET persistentvolumeclaims') return getClaim(world, request, target)
    if (what === 'PATCH pods/status' || what === 'PUT pods/status') return patchStatus(world, request, target)
    if (what === 'GET pods') {
      return call(request, target, 'GET pod', {namespace, name}).then((pod) => podReply(world, request, target, pod))
    }
    if (what !== 'DELETE pods') return undefined
    const {gracePeriodSeconds, uid} = deletionOf(request)
    if (gracePeriodSeconds !== 0 || uid === undefined) return undefined
    return call(request, target, 'DELETE pod', {namespace, name, uid, gracePeriodSeconds}).then((pod) =>
      podReply(world, request, target, pod),
    )
  }
}

/** The connection breaks, by a rule. */
export const isReset = (error: unknown): boolean =>
  error instanceof CallFailure && error.code === 'UNAVAILABLE' && error.message === 'connection reset by peer'

const isPod = (it: unknown): it is Pod => isObject(it) && isObject(it.metadata) && typeof it.metadata.resourceVersion === 'number'

function preconditionIn({body}: ApiRequest): string | undefined {
  return text(JSON.parse(body), 'metadata', 'uid')
}

/** What the server in memory refuses with. */
function inPort<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ApiError) throw new CallFailure(String(error.status.reason), error.message)
    throw error
  }
}
