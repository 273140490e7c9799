import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {JsonObject} from '../../../src/lab/api/json.ts'
import {nodeSchema, type PatchSchema, podSchema} from '../../../src/lab/api/patch-schema.ts'
import {strategicMerge} from '../../../src/lab/api/strategic-merge.ts'

// Values of patch_test.go in apimachinery v0.37.2, pkg/util/strategicpatch: [what, document, patch, document after it]. Its type MergeItem, as a schema:
const item: Record<string, PatchSchema[string]> = {}
const list = {mergeKey: 'name', of: item}
const values = {mergeKey: ''}
Object.assign(item, {
  mergingList: list,
  mergingIntList: values,
  mergeItemPtr: list,
  retainKeysMergingList: list,
  retainKeysMap: {of: {mergingList: list, mergingIntList: values}},
})

const cases = readFileSync(join(import.meta.dirname, 'strategic-merge-cases.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as [string, JsonObject, JsonObject, JsonObject])

test.each(cases)('strategicMerge() does as upstream: %s', (_, document, patch, expected) => {
  expect(strategicMerge(document, patch, item)).toEqual(expected)
})

const status: JsonObject = {
  phase: 'Pending',
  podIPs: [{ip: '10.0.0.1'}],
  conditions: [
    {type: 'Ready', status: 'False', reason: 'ContainersNotReady'},
    {type: 'PodScheduled', status: 'True'},
  ],
  containerStatuses: [{name: 'c', ready: false, restartCount: 0}],
}

test('strategicMerge() takes the diff that a kubelet sends', () => {
  const patch = {
    status: {
      '$setElementOrder/conditions': [{type: 'Ready'}, {type: 'PodScheduled'}],
      conditions: [{type: 'Ready', status: 'True', reason: null}],
      containerStatuses: [{name: 'c', ready: true}],
      phase: 'Running',
      podIPs: null,
    },
  }
  expect(strategicMerge({status}, patch, podSchema)).toEqual({
    status: {
      phase: 'Running',
      conditions: [
        {type: 'Ready', status: 'True'},
        {type: 'PodScheduled', status: 'True'},
      ],
      containerStatuses: [{name: 'c', ready: true}],
    },
  })
})

test('strategicMerge() replaces a map that says so', () => {
  const patch = {metadata: {uid: 'u'}, status: {$patch: 'replace', phase: 'Failed'}}
  expect(strategicMerge({metadata: {name: 'a'}, status}, patch, podSchema)).toEqual({
    metadata: {name: 'a', uid: 'u'},
    status: {phase: 'Failed'},
  })
})

test('strategicMerge() changes neither document nor patch', () => {
  const [document, patch] = [{status}, {status: {conditions: [{type: 'Ready', $patch: 'delete'}], podIPs: [{ip: '10.0.0.2'}]}}]
  const before = structuredClone([document, patch])
  strategicMerge(document, patch, podSchema)
  expect([document, patch]).toEqual(before)
})

test.each<[string, JsonObject, string]>([
  ['an unknown directive', {status: {$patch: 'merge'}}, 'unknown patch type: merge'],
  ['no merge key', {status: {conditions: [{status: 'True'}]}}, 'does not contain declared merge key: type'],
  ['a field outside its retainKeys', {status: {$retainKeys: ['b'], a: 1}}, 'invalid patch format of retainKeys'],
  [
    'another order than it gives',
    {status: {'$setElementOrder/conditions': [{type: 'A'}, {type: 'B'}], conditions: [{type: 'B'}, {type: 'A'}]}},
    "doesn't match $setElementOrder list",
  ],
])('strategicMerge() refuses a patch with %s', (_, patch, message) => {
  expect(() => strategicMerge({status}, patch, nodeSchema)).toThrow(message)
})
