// What the server says that it has: in one document for clients of today, group by group for older ones.
// Upstream: apidiscovery.k8s.io/v2 and meta/v1 APIVersions, APIGroupList, APIResourceList
import type {JsonObject} from './json.ts'
import {groupPath, type Kind, kinds} from './kinds.ts'

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
const verbsOfSubresource = ['get', 'patch', 'update']

export const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

export const wantsAggregated = (accept: string): boolean =>
  accept.split(',').some((each) => {
    const parts = each.split(';').map((part) => part.trim())
    return parts.includes('v=v2') && parts.includes('as=APIGroupDiscoveryList')
  })

const groups = [...new Set(kinds.map(({group}) => group))]
const named = groups.filter((group) => group !== '')

/** @param core of '/api', else of '/apis' */
export const groupDiscovery = (core: boolean): JsonObject => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: (core ? [''] : named).map((group) => ({
    metadata: group === '' ? {} : {name: group},
    versions: versionsIn(group).map((version) => ({
      version,
      resources: kinds.filter((kind) => kind.group === group && kind.version === version).map(resourceDiscovery),
      freshness: 'Current',
    })),
  })),
})

const versionsIn = (group: string): readonly string[] => [
  ...new Set(kinds.filter((kind) => kind.group === group).map(({version}) => version)),
]

function resourceDiscovery({group, version, resource, kind, namespaced, singular, shortNames, categories, subresources}: Kind): JsonObject {
  const responseKind = {group, version, kind}
  return {
    resource,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames === undefined ? {} : {shortNames}),
    ...(categories === undefined ? {} : {categories}),
    ...(subresources === undefined
      ? {}
      : {subresources: subresources.map((subresource) => ({subresource, responseKind, verbs: verbsOfSubresource}))}),
  }
}

/** @param address 'host:port' */
export const coreVersions = (address: string): JsonObject => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{clientCIDR: '0.0.0.0/0', serverAddress: address}],
})

export const groupList = (): JsonObject => ({kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(versionsOf)})

export const groupOf = (group: string): JsonObject | undefined =>
  named.includes(group) ? {kind: 'APIGroup', apiVersion: 'v1', ...versionsOf(group)} : undefined

function versionsOf(name: string): JsonObject {
  const versions = versionsIn(name).map((version) => ({groupVersion: `${name}/${version}`, version}))
  return {name, versions, preferredVersion: versions[0] ?? null}
}

/** @param path '/api/v1' */
export function resourceList(path: string): JsonObject | undefined {
  const found = kinds.filter((kind) => groupPath(kind) === path)
  const [first] = found
  if (first === undefined) return undefined
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: first.group === '' ? first.version : `${first.group}/${first.version}`,
    resources: found.flatMap(resources),
  }
}

function resources({resource, kind, namespaced, singular, shortNames, categories, subresources = []}: Kind): readonly JsonObject[] {
  const one = {name: resource, singularName: singular, namespaced, kind, verbs}
  return [
    {...one, ...(shortNames === undefined ? {} : {shortNames}), ...(categories === undefined ? {} : {categories})},
    ...subresources.map((each) => ({name: `${resource}/${each}`, singularName: '', namespaced, kind, verbs: verbsOfSubresource})),
  ]
}
