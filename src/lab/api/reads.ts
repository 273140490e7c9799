// GET: of one object, and of a list. All of a list is one page.
import {notFound} from './api-status.ts'
import type {ApiWorld} from './api-world.ts'
import {keyOf} from './collection.ts'
import {isObject, type JsonObject, text} from './json.ts'
import {apiVersion, type Kind} from './kinds.ts'
import {type ApiReply, type ApiRequest, json, transform} from './request.ts'
import type {Target} from './request-path.ts'
import {selectorOf} from './selected.ts'
import {type IncludeObject, listOf, partialMetadata, table} from './table.ts'

export function getObject(world: ApiWorld, request: ApiRequest, target: Target): ApiReply {
  const document = world.of(target.kind).get(keyOf(target.namespace, target.name ?? ''))
  if (document === undefined) throw notFound(target.kind, target.name ?? '')
  return objectReply(world, request, target, document)
}

/** In the form that the client wants. */
export function objectReply({clock}: ApiWorld, {accept, query}: ApiRequest, {kind}: Target, stored: JsonObject, code = 200): ApiReply {
  const document = inVersion(kind, stored)
  const form = transform(accept)
  if (form === 'PartialObjectMetadata') return json(partialMetadata(document), code)
  if (form !== 'Table' || !isObject(document.metadata)) return json(document, code)
  const resourceVersion = text(document, 'metadata', 'resourceVersion') ?? ''
  return json(table([document], {kind, now: clock.now(), includeObject: includeObjectOf(query), resourceVersion}), code)
}

/** Objects are kept in one version. */
export const inVersion = (kind: Kind, document: JsonObject): JsonObject =>
  kind.versionOf === undefined ? document : {...document, apiVersion: apiVersion(kind)}

export function listObjects(world: ApiWorld, {accept, query}: ApiRequest, target: Target): ApiReply {
  const {kind} = target
  const items = world.of(kind).list().filter(selectorOf(target, query))
  const resourceVersion = String(world.revision())
  const form = transform(accept)
  if (form === 'Table') return json(table(items, {kind, now: world.clock.now(), includeObject: includeObjectOf(query), resourceVersion}))
  if (form === undefined) return json(listOf(kind, items, resourceVersion))
  return json({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {resourceVersion},
    items: items.map(partialMetadata),
  })
}

export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const asked = query.get('includeObject')
  return asked === 'None' || asked === 'Object' ? asked : 'Metadata'
}
