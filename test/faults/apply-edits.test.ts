import fc from 'fast-check'
import {expect, test} from 'vitest'
import {applyEdits} from '../../src/faults/apply-edits.ts'
import type {Edit} from '../../src/faults/edit.ts'

const list = {
  containers: [
    {id: '1', metadata: {name: 'main'}, state: 'CONTAINER_RUNNING', labels: {'a.b/c': 'x'}},
    {id: '2', metadata: {name: 'side'}, state: 'CONTAINER_EXITED'},
    {id: '3', metadata: {name: 'main', attempt: 1}, state: 'CONTAINER_EXITED'},
  ],
}
const [first, second, third] = list.containers

test.each<[string, unknown, Edit, unknown, number]>([
  ['sets a field', {a: 1, b: 2}, {kind: 'set', path: 'a', value: 3}, {a: 3, b: 2}, 1],
  ['sets a field that JSON left out', {}, {kind: 'set', path: 'status.state', value: 'X'}, {status: {state: 'X'}}, 1],
  ['sets a nested field', {a: {b: 1, c: 2}}, {kind: 'set', path: 'a.b', value: [1]}, {a: {b: [1], c: 2}}, 1],
  ['sets a key with dots', {a: {}}, {kind: 'set', path: 'a[x.y/z]', value: 1}, {a: {'x.y/z': 1}}, 1],
  ['sets an entry of a list', {a: [1, 2]}, {kind: 'set', path: 'a[1]', value: 3}, {a: [1, 3]}, 1],
  ['sets no entry that there is not', {a: [1]}, {kind: 'set', path: 'a[1]', value: 3}, {a: [1]}, 0],
  ['sets a field in all entries', {a: [{b: 1}, {}]}, {kind: 'set', path: 'a[].b', value: 2}, {a: [{b: 2}, {b: 2}]}, 2],
  ['sets nothing in a list that there is not', {}, {kind: 'set', path: 'a[].b', value: 2}, {}, 0],
  ['sets nothing in a text', {a: 'x'}, {kind: 'set', path: 'a.b', value: 2}, {a: 'x'}, 0],
  [
    'sets a field named __proto__ as any',
    {},
    {kind: 'set', path: 'a[__proto__]', value: 1},
    {a: Object.fromEntries([['__proto__', 1]])},
    1,
  ],
  ['drops entries', list, {kind: 'drop', list: 'containers', where: {'metadata.name': 'main'}}, {containers: [second]}, 2],
  [
    'drops entries of which all is so',
    list,
    {kind: 'drop', list: 'containers', where: {'metadata.name': 'main', state: '*_EXITED'}},
    {containers: [first, second]},
    1,
  ],
  ['drops all', list, {kind: 'drop', list: 'containers'}, {containers: []}, 3],
  ['drops none', list, {kind: 'drop', list: 'containers', where: {id: '4'}}, list, 0],
  ['drops nothing where no list is', list, {kind: 'drop', list: 'items'}, list, 0],
  ['drops entries of the message itself', [1, 2], {kind: 'drop', list: ''}, [], 2],
  ['has entries twice', list, {kind: 'duplicate', list: 'containers', where: {id: 2}}, {containers: [first, second, second, third]}, 1],
  ['has all twice', {a: [1, 2]}, {kind: 'duplicate', list: 'a'}, {a: [1, 1, 2, 2]}, 2],
  [
    'makes up an entry like the first',
    {a: [{id: '1', m: {n: 'x', k: 1}}, {id: '2'}]},
    {kind: 'phantom', list: 'a', entry: {id: '9', 'm.n': 'y'}},
    {a: [{id: '1', m: {n: 'x', k: 1}}, {id: '2'}, {id: '9', m: {n: 'y', k: 1}}]},
    1,
  ],
  ['makes up an entry of an empty list', {}, {kind: 'phantom', list: 'a', entry: {'m.n': 'y'}}, {a: [{m: {n: 'y'}}]}, 1],
  ['edits the lists in a list', {a: [{b: [1]}, {b: [2, 3]}]}, {kind: 'drop', list: 'a[].b'}, {a: [{b: []}, {b: []}]}, 3],
  ['leaves padding to others', {a: 1}, {kind: 'pad', bytes: 9}, {a: 1}, 0],
])('applyEdits() %s', (_, message, edit, expected, places) => {
  const before = JSON.stringify(message)
  expect(applyEdits(message, [edit])).toEqual({message: expected, places})
  expect(JSON.stringify(message)).toBe(before)
})

test('applyEdits() does one edit after the other, and adds up', () => {
  const edits: readonly Edit[] = [
    {kind: 'drop', list: 'a', where: {id: '1'}},
    {kind: 'phantom', list: 'a', entry: {id: '3'}},
    {kind: 'set', path: 'a[].seen', value: true},
  ]
  expect(applyEdits({a: [{id: '1'}, {id: '2', x: 1}]}, edits)).toEqual({
    message: {
      a: [
        {id: '2', x: 1, seen: true},
        {id: '3', x: 1, seen: true},
      ],
    },
    places: 4,
  })
})

test('applyEdits() shares what it does not change, and all of it when there is no place', () => {
  const {message} = applyEdits(list, [{kind: 'set', path: 'containers[1].state', value: 'X'}])
  const changed = (message as typeof list).containers
  expect(changed[0]).toBe(first)
  expect(changed[2]).toBe(third)
  expect(applyEdits(list, [{kind: 'drop', list: 'items'}]).message).toBe(list)
})

test('applyEdits() never fails, and counts no place where nothing has changed, whatever the message is', () => {
  const edit = fc.oneof(
    fc.record({kind: fc.constant('set' as const), path: fc.constantFrom('a', 'a.b', 'a[].b', 'a[0].b', '[].a'), value: fc.jsonValue()}),
    fc.record({kind: fc.constantFrom('drop' as const, 'duplicate' as const), list: fc.constantFrom('', 'a', 'a.b', 'a[].b')}),
    fc.record({kind: fc.constant('phantom' as const), list: fc.constantFrom('', 'a'), entry: fc.constant({'x.y': 1})}),
  )
  const message = fc.letrec<{value: unknown}>((tie) => ({
    value: fc.oneof(
      {maxDepth: 4},
      fc.constantFrom(null, 1, 'x', true),
      fc.array(tie('value')),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('value')),
    ),
  })).value
  fc.assert(
    fc.property(message, edit, (given, one) => {
      const {message: after, places} = applyEdits(given, [one])
      if (places === 0) expect(after).toBe(given)
    }),
  )
})
