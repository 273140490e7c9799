// As much of OpenAPI as clients ask for before they write. v3 says that PATCH takes dryRun and fieldValidation, so that kubectl leaves the validation
// to the server; it offers no schemas, so that kubectl makes its patches by the types that are built into it. v2 is a document without definitions:
// kubectl up to 1.26 checks nothing that has none. Upstream: cli-runtime query_param_verifier_v3.go, kubectl pkg/cmd/apply/patcher.go
import type {JsonObject} from './json.ts'
import {groupPath, type Kind, kinds} from './kinds.ts'

/** Clients ask with an '@' where the last dot but one is: Go reads no media type with one in it (kube-openapi pkg/handler/handler.go). */
const openapiV2Protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/** In protobuf it is a Document whose field `swagger` (1) is "2.0". */
export function openapiV2(accept: string): {readonly type: string; readonly body: Uint8Array | string} {
  if (accept.includes('protobuf')) return {type: openapiV2Protobuf, body: new Uint8Array([0x0a, 3, 0x32, 0x2e, 0x30])}
  return {type: 'application/json', body: JSON.stringify({swagger: '2.0', info: {title: 'Kubernetes', version: 'v1'}, paths: {}})}
}

const paths = [...new Set(kinds.map(groupPath))]

export const openapiV3 = (): JsonObject => ({
  paths: Object.fromEntries(paths.map((path) => [path.slice(1), {serverRelativeURL: `/openapi/v3${path}`}])),
})

/** @param path '/api/v1' */
export function openapiV3Of(path: string): JsonObject | undefined {
  if (!paths.includes(path)) return undefined
  return {
    openapi: '3.0.0',
    info: {title: 'Kubernetes', version: 'v1'},
    paths: Object.fromEntries(kinds.filter((kind) => groupPath(kind) === path).map((kind) => [itemPath(kind), operations(kind)])),
  }
}

const itemPath = (kind: Kind): string => `${groupPath(kind)}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.resource}/{name}`

const query = (name: string): JsonObject => ({name, in: 'query', schema: {type: 'string', uniqueItems: true}})

const operations = ({group, version, kind}: Kind): JsonObject => ({
  patch: {
    parameters: ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map(query),
    responses: {200: {description: 'OK'}},
    'x-kubernetes-group-version-kind': {group, version, kind},
  },
})
