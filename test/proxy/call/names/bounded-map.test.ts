import {expect, test} from 'vitest'
import {boundedMap} from '../../../../src/proxy/call/names/bounded-map.ts'
import {nameIndex} from '../../../../src/proxy/call/names/name-index.ts'

test('boundedMap() lets go of what was used longest ago', () => {
  const map = boundedMap<string, number>({most: 2})
  map.set('a', 1)
  map.set('b', 2)
  map.get('a')
  map.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3])
})

test('boundedMap() bounds the weight of all, and keeps nothing that is heavier by itself', () => {
  const map = boundedMap<string, number>({most: 9, mostWeight: 10, weigh: (value) => value})
  map.set('a', 4)
  map.set('b', 4)
  map.set('b', 5)
  map.set('c', 11)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([4, 5, undefined])
  map.set('d', 6)
  expect([map.get('a'), map.get('b'), map.get('d')]).toEqual([undefined, undefined, 6])
})

test('nameIndex() keeps the 10,000 sandboxes that were used last', () => {
  const names = nameIndex()
  for (let count = 0; count < 10_001; count++) names.addSandbox(`s${count}`, {namespace: 'ns', name: 'p', uid: `u${count}`})
  expect([names.knowsSandbox('s0'), names.knowsSandbox('s1'), names.podOfUid('u0')]).toEqual([false, true, undefined])
})
