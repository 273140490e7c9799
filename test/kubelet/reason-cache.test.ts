import {expect, test} from 'vitest'
import {reasonCache} from '../../src/kubelet/reason-cache.ts'

const failed = (container: string) => ({
  action: 'StartContainer',
  container,
  error: {reason: 'RunContainerError', message: `no ${container}`},
})

test('reasonCache() keeps why a container did not start until it does', () => {
  const cache = reasonCache()
  cache.update('u1', [failed('a'), failed('b')])
  expect(cache.get('u1', 'a')).toEqual({reason: 'RunContainerError', message: 'no a'})
  expect(cache.get('u2', 'a')).toBeUndefined()
  cache.update('u1', [{action: 'StartContainer', container: 'a'}])
  expect(cache.get('u1', 'a')).toBeUndefined()
  expect(cache.get('u1', 'b')).toBeDefined()
})

test('reasonCache() heeds starts alone', () => {
  const cache = reasonCache()
  cache.update('u1', [failed('a')])
  cache.update('u1', [
    {action: 'KillContainer', container: 'a'},
    {...failed('b'), action: 'CreatePodSandbox'},
  ])
  expect(cache.get('u1', 'a')).toBeDefined()
  expect(cache.get('u1', 'b')).toBeUndefined()
})

test('reasonCache() forgets the one that was not read for the longest time, of a thousand', () => {
  const cache = reasonCache()
  for (let index = 0; index < 1000; index++) cache.update(`u${index}`, [failed('c')])
  expect(cache.get('u0', 'c')).toBeDefined()
  cache.update('u1000', [failed('c')])
  expect(cache.get('u0', 'c')).toBeDefined()
  expect(cache.get('u1', 'c')).toBeUndefined()
  cache.update('u2', [failed('c')])
  cache.update('u1001', [failed('c')])
  expect(cache.get('u2', 'c')).toBeDefined()
  expect(cache.get('u3', 'c')).toBeUndefined()
})
