import {expect, test} from 'vitest'
import type {EarlierLooks} from '../../../src/node/disk/earlier-looks.ts'
import {lookAtMounts} from '../../../src/node/disk/look-at-mounts.ts'
import type {MountPoint} from '../../../src/node/disk/mount-points.ts'
import type {Looked, Request} from '../../../src/node/disk/protocol.ts'
import {workerPool} from '../../../src/node/disk/worker-pool.ts'
import type {MountLook} from '../../../src/node/kernel/facts.ts'
import {type ManualClock, manualClock} from '../../support/manual-clock.ts'
import {type FakeWorker, fakeWorker} from '../../support/workers.ts'

type Found = Readonly<Record<string, MountLook['outcome']>>

const point = (mountPoint: string, fsType: string, device: string): MountPoint => ({mountPoint, path: mountPoint.slice(1), fsType, device})
const ok: Looked = {facts: {type: 'directory', mode: 0o755, size: 0, device: '8:1'}}

/** Looks where the paths that are named hang or fail. */
function looking(
  points: readonly MountPoint[],
  results: Readonly<Record<string, Looked | 'hangs'>> = {},
  earlier: EarlierLooks = new Map(),
) {
  const clock = manualClock()
  const asked: string[] = []
  const workers: FakeWorker[] = []
  const answer = (request: Request, worker: FakeWorker) => {
    if (request.op !== 'mount') return
    for (const path of request.paths) {
      asked.push(path)
      const result = results[path] ?? ok
      if (result === 'hangs') return
      worker.say({id: request.id, part: result})
    }
    worker.say({id: request.id, end: true})
  }
  const spawn = () => {
    const worker = fakeWorker({answer, undying: true})
    workers.push(worker)
    return worker
  }
  const found: Record<string, MountLook['outcome']> = {}
  const {signal} = new AbortController()
  const done = lookAtMounts({
    points,
    locate: (path) => path,
    pool: workerPool({clock, spawn}),
    clock,
    earlier,
    quietMs: 3000,
    signal,
    found: ({mountPoint}, outcome) => {
      found[mountPoint] = outcome
    },
  })
  return {clock, asked, workers, found, done}
}

async function finish({clock, done, found}: {clock: ManualClock; done: Promise<void>; found: Found}, seconds: number): Promise<Found> {
  for (let second = 0; second < seconds; second++) await clock.advance(1000)
  await done
  return found
}

test('lookAtMounts looks at what needs no server first, in one question, and at the others after it', async () => {
  const points = [point('/nfs', 'nfs4', '0:1'), point('/a', 'ext4', '8:1'), point('/fuse', 'fuse.s3fs', '0:2'), point('/b', 'tmpfs', '0:3')]
  const look = looking(points)
  const found = await finish(look, 1)
  expect(look.asked).toEqual(['/a', '/b', '/nfs', '/fuse'])
  expect(look.workers).toHaveLength(1)
  expect(found).toEqual(Object.fromEntries(['/a', '/b', '/nfs', '/fuse'].map((path) => [path, {state: 'ok', device: '8:1'}])))
})

test.each(['ENOTCONN', 'ESTALE', 'EIO', 'EHOSTDOWN', 'EACCES', 'ENAMETOOLONG'])('lookAtMounts passes on %s', async (code) => {
  const found = await finish(looking([point('/a', 'fuse', '0:1'), point('/b', 'ext4', '8:1')], {'/a': {code}}), 1)
  expect(found).toEqual({'/b': {state: 'ok', device: '8:1'}, '/a': {state: 'error', code}})
})

test('lookAtMounts looks at all others beside those that hang', async () => {
  const servers = ['/n1', '/n2', '/n3', '/n4', '/n5']
  const points = servers.map((path, index) => point(path, 'nfs', `0:${index}`))
  const look = looking(points, {'/n1': 'hangs', '/n2': 'hangs', '/n3': 'hangs', '/n4': 'hangs'})
  await look.clock.advance(1000)
  expect(look.found).toEqual({'/n5': {state: 'ok', device: '8:1'}})
  const found = await finish(look, 3)
  const silent = {state: 'silent', afterMs: 3000}
  expect(found).toEqual({'/n1': silent, '/n2': silent, '/n3': silent, '/n4': silent, '/n5': {state: 'ok', device: '8:1'}})
})

test('lookAtMounts sends no second worker to a file system that hangs', async () => {
  const points = [point('/x/1', 'nfs', '0:1'), point('/x/2', 'nfs', '0:1'), point('/y', 'nfs', '0:2'), point('/x/3', 'nfs', '0:1')]
  const look = looking(points, {'/x/1': 'hangs'})
  const found = await finish(look, 4)
  const skipped = {state: 'skipped', why: 'a look at /x/1, on the same file system, hangs'}
  expect(found).toEqual({
    '/x/1': {state: 'silent', afterMs: 3000},
    '/x/2': skipped,
    '/x/3': skipped,
    '/y': {state: 'ok', device: '8:1'},
  })
  expect(look.asked).toEqual(['/x/1', '/y'])
})

test('lookAtMounts goes on behind a local mount that hangs', async () => {
  const points = ['/a', '/b', '/c'].map((path) => point(path, 'ext4', '8:1'))
  const found = await finish(looking(points, {'/b': 'hangs'}), 7)
  expect(found).toEqual({'/a': {state: 'ok', device: '8:1'}, '/b': {state: 'silent', afterMs: 3000}, '/c': {state: 'ok', device: '8:1'}})
})

test('lookAtMounts skips what is left once eight workers hang', async () => {
  const paths = Array.from({length: 20}, (_, index) => `/n${index}`)
  const points = paths.map((path, index) => point(path, 'nfs', `0:${index}`))
  const look = looking(points, Object.fromEntries(paths.map((path) => [path, 'hangs'])))
  const found = await finish(look, 10)
  expect(look.workers).toHaveLength(8)
  expect(paths.map((path) => found[path]?.state)).toEqual(paths.map((_, index) => (index < 8 ? 'silent' : 'skipped')))
  expect(found['/n19']).toEqual({state: 'skipped', why: '8 workers hang'})
})

test('lookAtMounts asks nothing of an automount', async () => {
  const look = looking([point('/net', 'autofs', '0:9')])
  expect(await finish(look, 0)).toEqual({'/net': {state: 'skipped', why: 'it is an automount, which a look would mount'}})
  expect(look.workers).toHaveLength(0)
})

test('lookAtMounts leaves a file system alone on which a look of an earlier run hangs', async () => {
  const look = looking(
    [point('/x/1', 'fuse', '0:9'), point('/x/2', 'fuse', '0:9'), point('/y', 'fuse', '0:8')],
    {},
    new Map([['0:9', 75_000]]),
  )
  expect(await finish(look, 1)).toEqual({
    '/x/1': {state: 'silent', afterMs: 75_000},
    '/x/2': {state: 'skipped', why: 'a look at /x/1, on the same file system, hangs'},
    '/y': {state: 'ok', device: '8:1'},
  })
  expect(look.asked).toEqual(['/y'])
})
