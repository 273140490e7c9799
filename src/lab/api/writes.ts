// POST, PUT, PATCH and DELETE by anybody whose calls no rule is about.
import {ApiError, badRequest, invalid, methodNotAllowed, notFound, required} from './api-status.ts'
import type {ApiWorld} from './api-world.ts'
import {deletionOf, documentOf, readYaml, type WantedDeletion} from './bodies.ts'
import {type Deleted, keyOf} from './collection.ts'
import {defined, isObject, type JsonObject, object, text} from './json.ts'
import {apiVersion, type Kind} from './kinds.ts'
import {applyPatchType, patchOf} from './patches.ts'
import {objectReply} from './reads.ts'
import {type ApiReply, type ApiRequest, isDryRun, json} from './request.ts'
import type {Target} from './request-path.ts'
import {selectorOf} from './selected.ts'
import {listOf} from './table.ts'

export async function createObject(world: ApiWorld, request: ApiRequest, target: Target): Promise<ApiReply> {
  const document = inNamespace(target, ofKind(target.kind, documentOf(request)))
  const created = await create(world, target, document, isDryRun(request.query))
  return objectReply(world, request, target, created, 201)
}

async function create(world: ApiWorld, {kind, namespace}: Target, document: JsonObject, dryRun: boolean): Promise<JsonObject> {
  if (kind.namespaced && namespace === undefined) throw methodNotAllowed()
  if (namespace !== undefined) world.namespaces.check(kind, namespace, text(document, 'metadata', 'name') ?? '')
  return world.of(kind).create(document, dryRun)
}

function ofKind(kind: Kind, document: JsonObject): JsonObject {
  const [said, version] = [text(document, 'kind'), text(document, 'apiVersion')]
  if ((said ?? kind.kind) === kind.kind && (version ?? apiVersion(kind)) === apiVersion(kind))
    return kind.versionOf === undefined ? document : {...document, apiVersion: apiVersion(kind.versionOf)}
  throw badRequest(
    `the API version in the data (${version}, Kind=${said}) does not match the expected API version (${apiVersion(kind)}, Kind=${kind.kind})`,
  )
}

function inNamespace({namespace}: Target, document: JsonObject): JsonObject {
  if (namespace === undefined) return document
  const metadata = object(document, 'metadata')
  if ((metadata.namespace ?? namespace) !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  return {...document, metadata: {...metadata, namespace}}
}

export async function replaceObject(world: ApiWorld, request: ApiRequest, target: Target): Promise<ApiReply> {
  const document = ofKind(target.kind, documentOf(request))
  return update(world, request, target, () => document)
}

export async function patchObject(world: ApiWorld, request: ApiRequest, target: Target): Promise<ApiReply> {
  if (request.contentType === applyPatchType) return applyObject(world, request, target)
  return update(world, request, target, patchOf(target.kind, request))
}

async function update(
  world: ApiWorld,
  request: ApiRequest,
  target: Target,
  change: (document: JsonObject) => JsonObject,
): Promise<ApiReply> {
  const {kind, namespace, name = '', subresource} = target
  const options = {dryRun: isDryRun(request.query), ...(subresource === undefined ? {} : {subresource})}
  const updated = await world.of(kind).update(keyOf(namespace, name), change, options)
  return objectReply(world, request, target, updated)
}

async function applyObject(world: ApiWorld, request: ApiRequest, target: Target): Promise<ApiReply> {
  const {kind, namespace, name = '', subresource} = target
  const manager = request.query.get('fieldManager') ?? ''
  if (manager === '')
    throw invalid({...kind, kind: 'PatchOptions', group: 'meta.k8s.io'}, '', [required('fieldManager', 'is required for apply patch')])
  const read = readYaml(request.body)
  if (!isObject(read)) throw badRequest('the object provided is unrecognized (must be of type map)')
  const applied = inNamespace(target, ofKind(kind, read))
  const collection = world.of(kind)
  const dryRun = isDryRun(request.query)
  const change = (document: JsonObject | undefined) => world.applied.apply(document, applied, manager, kind.patchSchema)
  const there = collection.get(keyOf(namespace, name))
  if (there === undefined && subresource !== undefined) throw notFound(kind, name)
  const document =
    there === undefined
      ? await create(world, target, change(undefined), dryRun)
      : await collection.update(keyOf(namespace, name), change, {dryRun, ...(subresource === undefined ? {} : {subresource})})
  if (!dryRun && subresource === undefined) world.applied.remember(text(document, 'metadata', 'uid') ?? '', manager, applied)
  return objectReply(world, request, target, document, there === undefined ? 201 : 200)
}

export async function deleteObject(world: ApiWorld, request: ApiRequest, target: Target): Promise<ApiReply> {
  const {document, removed} = await remove(world, target.kind, target.namespace, target.name ?? '', deletionOf(request))
  // Upstream: ReturnDeletedObject, which pods and claims have.
  if (!removed || target.kind.resource === 'pods') return objectReply(world, request, target, document)
  return json(succeeded(target.kind, document))
}

export const succeeded = ({group, resource}: Kind, document: JsonObject): JsonObject => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: defined({
    name: text(document, 'metadata', 'name'),
    group: group || undefined,
    kind: resource,
    uid: text(document, 'metadata', 'uid'),
  }),
})

function remove(world: ApiWorld, kind: Kind, namespace: string | undefined, name: string, wanted: WantedDeletion): Promise<Deleted> {
  return kind.resource === 'namespaces' ? world.namespaces.delete(name, wanted) : world.of(kind).delete(keyOf(namespace, name), wanted)
}

export async function deleteObjects(world: ApiWorld, request: ApiRequest, target: Target): Promise<ApiReply> {
  const {kind} = target
  const wanted = deletionOf(request)
  const documents = world.of(kind).list().filter(selectorOf(target, request.query))
  for (const {metadata} of documents) {
    await remove(world, kind, text(metadata, 'namespace'), text(metadata, 'name') ?? '', wanted).catch((error) => {
      // Somebody else was quicker.
      if (!(error instanceof ApiError) || error.code !== 404) throw error
    })
  }
  return json(listOf(kind, documents, String(world.revision())))
}
