import {expect, test} from 'vitest'
import {groupDiscovery, groupList, resourceList, wantsAggregated} from '../../../src/lab/api/discovery.ts'
import {objects, text} from '../../../src/lab/api/json.ts'
import {groupPath, kinds} from '../../../src/lab/api/kinds.ts'
import {openapiV3, openapiV3Of} from '../../../src/lab/api/openapi-v3.ts'

const nopeer = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer'

test.each([
  [`${nopeer},application/json`, true],
  ['application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json', true],
  ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json', false],
  ['application/json, */*', false],
])('wantsAggregated() of %s is %s', (accept, wants) => {
  expect(wantsAggregated(accept)).toBe(wants)
})

test('both kinds of discovery tell of all kinds', () => {
  const all = kinds.map((kind) => `${groupPath(kind)}/${kind.resource}`).sort()
  const aggregated = [true, false].flatMap((core) =>
    objects(groupDiscovery(core), 'items').flatMap((group) =>
      objects(group, 'versions').flatMap((version) =>
        objects(version, 'resources').map(({resource}) => {
          const [name, number] = [text(group, 'metadata', 'name') ?? '', String(version.version)]
          return `${groupPath({group: name, version: number})}/${resource}`
        }),
      ),
    ),
  )
  const named = objects(groupList(), 'groups').flatMap((group) =>
    objects(group, 'versions').map(({groupVersion}) => `/apis/${groupVersion}`),
  )
  const listed = ['/api/v1', ...named].flatMap((path) =>
    objects(resourceList(path), 'resources')
      .map(({name}) => `${path}/${name}`)
      .filter((each) => !each.endsWith('/status')),
  )
  expect(aggregated.sort()).toEqual(all)
  expect(listed.sort()).toEqual(all)
})

test('openapiV3Of() has every path that openapiV3() names, and its PATCHes take dryRun', () => {
  const names = Object.keys(openapiV3().paths as object)
  const documents = names.map((name) => openapiV3Of(`/${name}`))
  const patches = documents.flatMap((document) => Object.values((document?.paths ?? {}) as object).map(({patch}) => patch))
  expect(patches).toHaveLength(kinds.length)
  for (const patch of patches) expect(patch.parameters).toContainEqual(expect.objectContaining({name: 'dryRun', in: 'query'}))
})
