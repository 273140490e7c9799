// Which handler a request goes to.
import type {ServerResponse} from 'node:http'
import {methodNotAllowed, noSuchPath} from './api-status.ts'
import type {ApiWorld} from './api-world.ts'
import {aggregated, coreVersions, groupDiscovery, groupList, groupOf, resourceList, wantsAggregated} from './discovery.ts'
import type {JsonObject} from './json.ts'
import type {KubeletCalls} from './kubelet-calls.ts'
import {openapiV2} from './openapi-v2.ts'
import {openapiV3, openapiV3Of} from './openapi-v3.ts'
import {getObject, listObjects} from './reads.ts'
import {type ApiReply, type ApiRequest, json, plain} from './request.ts'
import {type Target, targetOf} from './request-path.ts'
import {streamWatch} from './watch-stream.ts'
import {createObject, deleteObject, deleteObjects, patchObject, replaceObject} from './writes.ts'

export interface RouterParts {
  readonly world: ApiWorld
  readonly kubelet: KubeletCalls
  readonly version: JsonObject
  /** 'host:port' */
  readonly address: () => string
}

export type Router = (request: ApiRequest, response: ServerResponse) => Promise<ApiReply | undefined>

/** Undefined: it has been answered as a stream. */
export function router({world, kubelet, version, address}: RouterParts): Router {
  return async (request, response) => {
    const known = documents(request, version, address)
    if (known !== undefined) return known
    const target = targetOf(request.path)
    if (target === undefined) throw noSuchPath()
    const {method, query} = request
    if (method === 'GET' && (query.get('watch') === 'true' || query.get('watch') === '1')) {
      await streamWatch(world, request, target, response)
      return undefined
    }
    const kubelets = request.by === 'kubelet' ? kubelet(world, request, target) : undefined
    return kubelets ?? handle(world, request, target)
  }
}

async function handle(world: ApiWorld, request: ApiRequest, target: Target): Promise<ApiReply> {
  const one = target.name !== undefined
  switch (request.method) {
    case 'GET':
      return one ? getObject(world, request, target) : listObjects(world, request, target)
    case 'POST':
      if (one) throw methodNotAllowed()
      return createObject(world, request, target)
    case 'PUT':
      if (!one) throw methodNotAllowed()
      return replaceObject(world, request, target)
    case 'PATCH':
      if (!one) throw methodNotAllowed()
      return patchObject(world, request, target)
    case 'DELETE':
      if (target.subresource !== undefined) throw methodNotAllowed()
      return one ? deleteObject(world, request, target) : deleteObjects(world, request, target)
    default:
      throw methodNotAllowed()
  }
}

/** What is the same for every client and at every moment. */
function documents({path, accept}: ApiRequest, version: JsonObject, address: () => string): ApiReply | undefined {
  if (path === '/version') return json(version)
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path)) return plain('ok')
  if (path === '/openapi/v2') return {code: 200, ...openapiV2(accept)}
  if (path === '/openapi/v3') return json(openapiV3())
  const core = path === '/api'
  if ((core || path === '/apis') && wantsAggregated(accept)) return json(groupDiscovery(core), 200, aggregated)
  if (core) return json(coreVersions(address()))
  if (path === '/apis') return json(groupList())
  const found = path.startsWith('/openapi/v3/')
    ? openapiV3Of(path.slice('/openapi/v3'.length))
    : (resourceList(path) ?? (path.startsWith('/apis/') ? groupOf(path.slice('/apis/'.length)) : undefined))
  return found === undefined ? undefined : json(found)
}
