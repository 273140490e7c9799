import {expect, test} from 'vitest'
import {podCache} from '../../../src/kubelet/pleg/pod-cache.ts'
import {inRuntime, runtimePod} from '../../support/model-pods.ts'

const status = runtimePod(inRuntime('c', 'RUNNING'))

/** Whether it answers at once. */
async function answers(waiting: Promise<unknown>): Promise<boolean> {
  let answered = false
  void waiting.then(() => {
    answered = true
  })
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  return answered
}

test('getNewerThan() waits for the first relist', async () => {
  const cache = podCache()
  const waiting = cache.getNewerThan('u', Number.NEGATIVE_INFINITY)
  expect(await answers(waiting)).toBe(false)
  cache.updateTime(10)
  expect(await waiting).toMatchObject({status: {uid: 'u', containers: []}})
})

test('getNewerThan() waits until the pod or all of the cache is newer than it asks for', async () => {
  const cache = podCache()
  cache.set('u', {status}, 10)
  cache.updateTime(10)
  expect(await answers(cache.getNewerThan('u', 9))).toBe(true)
  const waiting = cache.getNewerThan('u', 20)
  cache.updateTime(19)
  expect(await answers(waiting)).toBe(false)
  cache.set('u', {status}, 21)
  expect(await waiting).toEqual({status})
  const another = cache.getNewerThan('u', 21)
  cache.delete('u')
  expect(await answers(another)).toBe(false)
  cache.updateTime(22)
  expect(await another).toMatchObject({status: {containers: []}})
})

test('setObservedTime() answers whoever waits, with the status of before', async () => {
  const cache = podCache()
  cache.set('u', {status}, 10)
  const waiting = cache.getNewerThan('u', 10)
  cache.setObservedTime('u', 11)
  expect(await waiting).toEqual({status})
})

test('get() hands on why there is no status', () => {
  const cache = podCache()
  cache.set('u', {error: 'no'}, 1)
  expect(cache.get('u')).toEqual({error: 'no'})
})
