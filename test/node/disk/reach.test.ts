import {expect, test} from 'vitest'
import {reachOf} from '../../../src/node/disk/reach.ts'
import {manualClock} from '../../support/manual-clock.ts'
import {fakeWorker} from '../../support/workers.ts'

/** What is asked of workers on the way to each path; those of the second file system hang. */
function reaching(table: readonly (readonly [mountPoint: string, fsType: string])[], earlier: readonly string[] = []) {
  const clock = manualClock()
  const asked: string[] = []
  const reach = reachOf({
    clock,
    signal: new AbortController().signal,
    earlier: async () => new Map(earlier.map((device) => [device, 60_000])),
    mountinfo: async () => table.map(([at, type], index) => `${index + 2} 1 0:${index} / ${at} rw - ${type} x rw\n`).join(''),
    spawn: () =>
      fakeWorker({
        answer: (request, worker) => {
          if (request.op !== 'mount') return
          asked.push(...request.paths)
          if (request.device !== '0:1') worker.say({id: request.id, end: true})
        },
      }),
  })
  return {clock, asked, reach}
}

test('reachOf asks each file system on the way that can hang, and each of them once', async () => {
  const {asked, reach} = reaching([
    ['/', 'overlay'],
    ['/hangs', 'nfs4'],
    ['/a', 'fuse.s3'],
    ['/a/b\\040c', 'cifs'],
    ['/proc', 'proc'],
    ['/auto', 'autofs'],
  ])
  for (const path of ['/a/b c/d', '/a/b c', '/ab', '/proc/1', '/auto/x', '/']) await reach(path)
  expect(asked).toEqual(['/a', '/a/b c'])
})

test('reachOf says which file system does not answer, and does not ask again', async () => {
  const {clock, asked, reach} = reaching([
    ['/', 'ext4'],
    ['/hangs', 'nfs4'],
  ])
  const said = reach('/hangs/x').catch((error: NodeJS.ErrnoException) => [error.code, error.message])
  await clock.advance(2000)
  expect(await said).toEqual(['ETIMEDOUT', '/hangs has not answered for 1s'])
  await expect(reach('/hangs')).rejects.toThrow('has not answered')
  expect(asked).toEqual(['/hangs'])
})

test('reachOf asks nothing where a look of an earlier run hangs', async () => {
  const {asked, reach} = reaching([['/x', 'nfs4']], ['0:0'])
  await expect(reach('/x/y')).rejects.toThrow('/x has not answered')
  expect(asked).toEqual([])
})
