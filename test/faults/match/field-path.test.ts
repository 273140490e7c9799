import {expect, test} from 'vitest'
import {parsePath, someAt} from '../../../src/faults/match/field-path.ts'

test.each([
  ['id', [{key: 'id'}]],
  ['config.metadata.name', [{key: 'config'}, {key: 'metadata'}, {key: 'name'}]],
  ['containers[].state', [{key: 'containers'}, 'each', {key: 'state'}]],
  ['[].id', ['each', {key: 'id'}]],
  ['labels[app.kubernetes.io/name]', [{key: 'labels'}, {key: 'app.kubernetes.io/name'}]],
  ['a[][x].b', [{key: 'a'}, 'each', {key: 'x'}, {key: 'b'}]],
])('parsePath() reads %s', (path, steps) => {
  expect(parsePath(path)).toEqual(steps)
})

test.each(['', '.', 'a.', '.a', 'a..b', 'a[', 'a]', 'a[x', 'a[]b', 'a[[]]'])('parsePath() takes %j for no path', (path) => {
  expect(parsePath(path)).toBeUndefined()
})

const message = {
  id: 'c1',
  flag: false,
  config: {metadata: {name: 'main'}, labels: {'a.b/c': 'x'}},
  mounts: [{hostPath: '/a'}, {hostPath: '/b'}],
  'metadata.uid': 'u',
}

test.each([
  ['id', ['c1']],
  ['flag', [false]],
  ['config.metadata.name', ['main']],
  ['config.labels[a.b/c]', ['x']],
  ['mounts[].hostPath', ['/a', '/b']],
  ['mounts[1].hostPath', ['/b']],
  ['metadata.uid', ['u']],
  ['mounts[7].hostPath', []],
  ['id.length', []],
  ['id[]', []],
  ['toString', []],
  ['config.constructor', []],
  ['mounts.length', []],
])('someAt() finds at %s %j', (path, values) => {
  const seen: unknown[] = []
  expect(someAt(message, path, (value) => seen.push(value) < 0)).toBe(false)
  expect(seen).toEqual(values)
  expect(someAt(message, path, () => true)).toBe(values.length > 0)
})
