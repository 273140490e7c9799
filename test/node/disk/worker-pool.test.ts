import {expect, test} from 'vitest'
import type {Looked} from '../../../src/node/disk/protocol.ts'
import {type PoolAsked, workerPool} from '../../../src/node/disk/worker-pool.ts'
import {manualClock} from '../../support/manual-clock.ts'
import {answering, type FakeBehaviour, type FakeWorker, fakeWorker} from '../../support/workers.ts'

const gone: Looked = {code: 'ENOENT'}
const working = answering(() => gone)

/** A pool whose workers behave in their order as told, the last one's way from then on. */
function pooled(...behaviours: readonly FakeBehaviour[]) {
  const clock = manualClock()
  const workers: FakeWorker[] = []
  const controller = new AbortController()
  const pool = workerPool({
    clock,
    spawn: () => {
      const worker = fakeWorker(behaviours[Math.min(workers.length, behaviours.length - 1)])
      workers.push(worker)
      return worker
    },
  })
  const parts: Looked[] = []
  const ask = (path: string): Promise<PoolAsked> =>
    pool.ask('stat', {path}, {quietMs: 3000, signal: controller.signal, onPart: (part) => parts.push(part)})
  return {clock, workers, pool, ask, parts, controller}
}

test('workerPool starts a worker with the first question and asks it all the others', async () => {
  const {ask, workers, parts, pool} = pooled(working)
  expect(workers).toHaveLength(0)
  for (const path of ['/a', '/b', '/c']) expect(await ask(path)).toEqual({state: 'answered'})
  expect(workers.map(({requests}) => requests.length)).toEqual([3])
  expect(parts).toEqual([gone, gone, gone])
  pool[Symbol.dispose]()
  expect(workers[0]).toMatchObject({killed: true, abandoned: true})
})

test('workerPool gives a question that hangs up after its deadline and asks the next one of another worker', async () => {
  const {ask, workers, clock} = pooled({}, working)
  const hung = ask('/hangs')
  await clock.advance(2999)
  expect(workers[0]?.killed).toBe(false)
  await clock.advance(1)
  expect(await hung).toEqual({state: 'silent', afterMs: 3000})
  expect(workers[0]).toMatchObject({killed: true, abandoned: false})
  expect(await ask('/well')).toEqual({state: 'answered'})
  expect(workers).toHaveLength(2)
})

test('workerPool lets go of a worker that SIGKILL does not end', async () => {
  const {ask, workers, clock} = pooled({undying: true}, working)
  const hung = ask('/hangs')
  await clock.advance(3000)
  expect(await hung).toEqual({state: 'silent', afterMs: 3000})
  await clock.advance(1000)
  expect(workers[0]).toMatchObject({killed: true, abandoned: true})
  expect(clock.sleepers()).toEqual([])
})

test('workerPool leaves nothing to wait for when it is closed, even while a worker does not die', async () => {
  const {ask, workers, clock, pool} = pooled({undying: true})
  const hung = ask('/hangs')
  await clock.advance(3000)
  await hung
  pool[Symbol.dispose]()
  await clock.advance(0)
  expect(clock.sleepers()).toEqual([])
  expect(workers[0]).toMatchObject({killed: true, abandoned: true})
  expect(await ask('/later')).toEqual({state: 'failed', why: 'the stat workers are closed'})
})

test('workerPool skips what is asked once eight workers hang, and asks again when one of them has ended', async () => {
  const undying: FakeBehaviour = {undying: true}
  const {ask, workers, clock} = pooled(...Array.from({length: 8}, () => undying), working)
  const hung = Array.from({length: 8}, (_, index) => ask(`/hangs/${index}`))
  const waiting = ask('/waits')
  await clock.advance(3000)
  expect(await Promise.all(hung)).toEqual(hung.map(() => ({state: 'silent', afterMs: 3000})))
  await clock.advance(1000)
  expect(await waiting).toEqual({state: 'skipped', why: '8 workers hang'})
  expect(await ask('/later')).toEqual({state: 'skipped', why: '8 workers hang'})
  workers[3]?.end('SIGKILL')
  await clock.advance(0)
  expect(await ask('/at last')).toEqual({state: 'answered'})
  expect(workers).toHaveLength(9)
})

test('workerPool lets a question wait while eight others are being answered', async () => {
  const {ask, workers, clock} = pooled({})
  const asked = Array.from({length: 9}, (_, index) => ask(`/${index}`))
  await clock.advance(0)
  expect(workers).toHaveLength(8)
  workers[5]?.say({id: 1, end: true})
  await clock.advance(0)
  expect(workers[5]?.requests.map((request) => 'path' in request && request.path)).toEqual(['/5', '/8'])
  workers[5]?.say({id: 2, end: true})
  expect(await asked[8]).toEqual({state: 'answered'})
})

test('workerPool takes each part for a sign of life', async () => {
  const {ask, workers, clock, parts} = pooled({})
  const slow = ask('/slow')
  for (let second = 0; second < 20; second += 2) {
    await clock.advance(2000)
    workers[0]?.say({id: 1, part: gone})
  }
  workers[0]?.say({id: 1, end: true})
  expect(await slow).toEqual({state: 'answered'})
  expect(parts).toHaveLength(10)
})

test('workerPool does not hold the time it takes to start a worker against the question', async () => {
  const {ask, workers, clock} = pooled({...working, start: 'silent'})
  const late = ask('/a')
  await clock.advance(9000)
  workers[0]?.say({hello: true})
  expect(await late).toEqual({state: 'answered'})
})

test('workerPool says that a worker did not start, or did not stay', async () => {
  const {ask, workers, clock} = pooled({start: 'silent'}, {}, {}, working)
  const never = ask('/a')
  await clock.advance(10_000)
  expect(await never).toEqual({state: 'failed', why: 'the stat worker did not start within 10000 ms'})
  const died = ask('/b')
  await clock.advance(1)
  workers[1]?.end('SIGSEGV')
  expect(await died).toEqual({state: 'failed', why: 'the stat worker ended: SIGSEGV'})
  const garbled = ask('/c')
  await clock.advance(1)
  workers[2]?.write('Killed')
  expect(await garbled).toMatchObject({state: 'failed', why: expect.stringMatching(/^the stat worker wrote what is no answer: /) as string})
  expect(await ask('/d')).toEqual({state: 'answered'})
})

test('workerPool says why no worker can be started', async () => {
  const clock = manualClock()
  const pool = workerPool({
    clock,
    spawn: () => {
      throw new Error('spawn EAGAIN')
    },
  })
  const {signal} = new AbortController()
  expect(await pool.ask('stat', {path: '/'}, {quietMs: 1, signal, onPart: () => undefined})).toEqual({state: 'failed', why: 'spawn EAGAIN'})
})

test('workerPool kills a worker whose question is not wanted any more, and rejects with the reason', async () => {
  const {ask, workers, controller, clock} = pooled({})
  const asked = ask('/a')
  const waiting = Array.from({length: 8}, () => ask('/b'))
  await clock.advance(0)
  const reason = new Error('enough')
  controller.abort(reason)
  for (const each of [asked, ...waiting]) await expect(each).rejects.toBe(reason)
  expect(workers.map(({killed}) => killed)).toEqual(Array.from({length: 8}, () => true))
})
