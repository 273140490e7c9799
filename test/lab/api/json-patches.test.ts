import {expect, test} from 'vitest'
import type {Json} from '../../../src/lab/api/json.ts'
import {jsonPatch} from '../../../src/lab/api/json-patch.ts'
import {mergePatch} from '../../../src/lab/api/merge-patch.ts'

// RFC 7396, Appendix A: [original, patch, result]
test.each<[Json, Json, Json]>([
  [{a: 'b'}, {a: 'c'}, {a: 'c'}],
  [{a: 'b'}, {b: 'c'}, {a: 'b', b: 'c'}],
  [{a: 'b'}, {a: null}, {}],
  [{a: 'b', b: 'c'}, {a: null}, {b: 'c'}],
  [{a: ['b']}, {a: 'c'}, {a: 'c'}],
  [{a: 'c'}, {a: ['b']}, {a: ['b']}],
  [{a: {b: 'c'}}, {a: {b: 'd', c: null}}, {a: {b: 'd'}}],
  [{a: [{b: 'c'}]}, {a: [1]}, {a: [1]}],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{a: 'b'}, ['c'], ['c']],
  [{a: 'foo'}, null, null],
  [{a: 'foo'}, 'bar', 'bar'],
  [{e: null}, {a: 1}, {e: null, a: 1}],
  [[1, 2], {a: 'b', c: null}, {a: 'b'}],
  [{}, {a: {bb: {ccc: null}}}, {a: {bb: {}}}],
])('mergePatch() of %j with %j is %j', (original, patch, result) => {
  expect(mergePatch(original, patch)).toEqual(result)
})

// RFC 6902, Appendix A: [document, patch, result]
test.each<[Json, Json, Json]>([
  [{foo: 'bar'}, [{op: 'add', path: '/baz', value: 'qux'}], {baz: 'qux', foo: 'bar'}],
  [{foo: ['bar', 'baz']}, [{op: 'add', path: '/foo/1', value: 'qux'}], {foo: ['bar', 'qux', 'baz']}],
  [{baz: 'qux', foo: 'bar'}, [{op: 'remove', path: '/baz'}], {foo: 'bar'}],
  [{foo: ['bar', 'qux', 'baz']}, [{op: 'remove', path: '/foo/1'}], {foo: ['bar', 'baz']}],
  [{baz: 'qux', foo: 'bar'}, [{op: 'replace', path: '/baz', value: 'boo'}], {baz: 'boo', foo: 'bar'}],
  [
    {foo: {bar: 'baz', waldo: 'fred'}, qux: {corge: 'grault'}},
    [{op: 'move', from: '/foo/waldo', path: '/qux/thud'}],
    {foo: {bar: 'baz'}, qux: {corge: 'grault', thud: 'fred'}},
  ],
  [{foo: ['all', 'grass', 'cows', 'eat']}, [{op: 'move', from: '/foo/1', path: '/foo/3'}], {foo: ['all', 'cows', 'eat', 'grass']}],
  [
    {baz: 'qux', foo: ['a', 2, 'c']},
    [
      {op: 'test', path: '/baz', value: 'qux'},
      {op: 'test', path: '/foo/1', value: 2},
    ],
    {baz: 'qux', foo: ['a', 2, 'c']},
  ],
  [{foo: 'bar'}, [{op: 'add', path: '/child', value: {grandchild: {}}}], {foo: 'bar', child: {grandchild: {}}}],
  [{foo: 'bar'}, [{op: 'add', path: '/baz', value: 'qux', xyz: 123}], {foo: 'bar', baz: 'qux'}],
  [{'/': 9, '~1': 10}, [{op: 'test', path: '/~01', value: 10}], {'/': 9, '~1': 10}],
  [{foo: ['bar']}, [{op: 'add', path: '/foo/-', value: ['abc', 'def']}], {foo: ['bar', ['abc', 'def']]}],
  [{a: {b: 1}}, [{op: 'copy', from: '/a', path: '/c'}], {a: {b: 1}, c: {b: 1}}],
  [{a: 1}, [{op: 'add', path: '', value: 2}], 2],
])('jsonPatch() of %j with %j is %j', (document, patch, result) => {
  expect(jsonPatch(document, patch)).toEqual(result)
})

test.each<[Json, Json]>([
  [{foo: 'bar'}, [{op: 'add', path: '/baz/bat', value: 'qux'}]],
  [{baz: 'qux'}, [{op: 'test', path: '/baz', value: 'bar'}]],
  [{foo: ['a']}, [{op: 'add', path: '/foo/2', value: 'b'}]],
  [{foo: ['a']}, [{op: 'remove', path: '/foo/01'}]],
  [{}, [{op: 'remove', path: '/a'}]],
  [{}, [{op: 'replace', path: '/a', value: 1}]],
  [{}, [{op: 'add', path: '/a'}]],
  [{a: {}}, [{op: 'move', from: '/a', path: '/a/b'}]],
  [{}, [{op: 'invent', path: '/a'}]],
  [{}, [{op: 'add', path: 'a', value: 1}]],
  [{}, {op: 'add'}],
])('jsonPatch() of %j refuses %j', (document, patch) => {
  expect(() => jsonPatch(document, patch)).toThrow(expect.objectContaining({name: 'PatchError'}))
})
