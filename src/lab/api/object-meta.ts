// What the server makes of the metadata that a client wrote. Upstream: apiserver pkg/registry/rest/{create,update}.go, apimachinery pkg/api/validation/objectmeta.go
import {isDeepStrictEqual} from 'node:util'
import {formatInstant} from '../../base/instant.ts'
import {badRequest, conflict, forbiddenField, invalid, invalidValue, modified, required} from './api-status.ts'
import {at, defined, isList, type JsonObject, object, text} from './json.ts'
import {apiVersion, type Kind} from './kinds.ts'

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

/** What the server alone says; what a client writes there is nothing. */
const serverOwned = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
]

export interface NewObject {
  readonly namespace?: string
  readonly uid: string
  readonly now: number
  /** Five letters, for generateName. */
  readonly suffix: () => string
}

export function newDocument(kind: Kind, document: JsonObject, {namespace, uid, now, suffix}: NewObject): JsonObject {
  const {namespace: _, ...written} = Object.fromEntries(
    Object.entries(object(document, 'metadata')).filter(([field]) => !serverOwned.includes(field)),
  ) as JsonObject & {namespace?: unknown}
  const prefix = text(written, 'generateName')
  const name = text(written, 'name') ?? (prefix === undefined ? undefined : `${prefix}${suffix()}`)
  if (name === undefined) throw invalid(kind, '', [required('metadata.name', 'name or generateName is required')])
  if (!subdomain.test(name) || name.length > 253) throw invalid(kind, name, [invalidValue('metadata.name', name, subdomainRule)])
  const metadata = defined({...written, name, namespace, uid, creationTimestamp: formatInstant(Math.floor(now / 1000) * 1000)})
  return {kind: kind.kind, apiVersion: apiVersion(kind), ...document, metadata}
}

/** @throws ApiError when the object is not the one that the client means */
export function checkPreconditions(
  kind: Kind,
  {metadata}: JsonObject,
  wanted: {readonly uid?: string | undefined; readonly resourceVersion?: string | undefined},
): void {
  const [name, uid, version] = ['name', 'uid', 'resourceVersion'].map((field) => text(metadata, field) ?? '')
  if (wanted.uid !== undefined && wanted.uid !== '' && wanted.uid !== uid)
    throw conflict(kind, name ?? '', `Precondition failed: UID in precondition: ${wanted.uid}, UID in object meta: ${uid}`)
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== version)
    throw conflict(
      kind,
      name ?? '',
      `Precondition failed: ResourceVersion in precondition: ${wanted.resourceVersion}, ResourceVersion in object meta: ${version}`,
    )
}

/** The document as it is to be: the server's part is as it was. The same object when nothing changes. */
export function updatedDocument(kind: Kind, old: JsonObject, wanted: JsonObject, subresource: string | undefined): JsonObject {
  const [before, after] = [object(old, 'metadata'), object(wanted, 'metadata')]
  const name = text(before, 'name') ?? ''
  for (const field of ['name', 'namespace'] as const) {
    const said = text(after, field)
    if (said !== undefined && said !== text(before, field))
      throw badRequest(`the ${field} of the object (${said}) does not match the ${field} on the URL (${text(before, field) ?? ''})`)
  }
  checkPreconditions(kind, old, {uid: text(after, 'uid')})
  const version = text(after, 'resourceVersion')
  if (version !== undefined && version !== '' && version !== text(before, 'resourceVersion')) throw conflict(kind, name, modified)
  const kept = Object.fromEntries([...serverOwned, 'name', 'namespace', 'generation'].map((field) => [field, before[field]]))
  const metadata = defined({...after, ...kept, ...(subresource === undefined ? {} : {finalizers: before.finalizers})})
  const whole = {...wanted, kind: kind.kind, apiVersion: apiVersion(kind), metadata}
  const ofStatus = {...old, ...defined({status: wanted.status}), metadata}
  const next = subresource === undefined ? withStatusOf(kind, whole, old) : ofStatus
  if (isDeepStrictEqual(next, old)) return old
  checkFinalizers(kind, name, before, metadata)
  return next
}

/** Where the status is a resource of its own, it changes there alone. */
function withStatusOf({subresources = []}: Kind, whole: JsonObject, old: JsonObject): JsonObject {
  if (!subresources.includes('status')) return whole
  const {status: _, ...rest} = whole
  return old.status === undefined ? rest : {...rest, status: old.status}
}

function checkFinalizers(kind: Kind, name: string, before: JsonObject, after: JsonObject): void {
  if (before.deletionTimestamp === undefined) return
  const [old, next] = [before, after].map((metadata) => at(metadata, 'finalizers')).map((list) => (isList(list) ? list : []))
  const more = next?.filter((each) => !old?.includes(each)) ?? []
  if (more.length === 0) return
  const found = `[]string{${more.map((each) => JSON.stringify(each)).join(', ')}}`
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`
  throw invalid(kind, name, [forbiddenField('metadata.finalizers', detail)])
}
