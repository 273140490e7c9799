// As much of OpenAPI v3 as clients ask for before they write: it says that PATCH takes dryRun and fieldValidation, so that kubectl leaves the validation
// to the server; it offers no schemas, so that kubectl makes its patches by the types that are built into it.
// Upstream: cli-runtime query_param_verifier_v3.go, kubectl pkg/cmd/apply/patcher.go
import type {JsonObject} from './json.ts'
import {groupPath, itemPath, type Kind, kinds} from './kinds.ts'

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

const query = (name: string): JsonObject => ({name, in: 'query', schema: {type: 'string', uniqueItems: true}})

const operations = ({group, version, kind}: Kind): JsonObject => ({
  patch: {
    parameters: ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map(query),
    responses: {200: {description: 'OK'}},
    'x-kubernetes-group-version-kind': {group, version, kind},
  },
})
