import {join} from 'node:path'
import {execa} from 'execa'
import {expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {readDisk} from '../../src/node/disk/read-disk.ts'
import {spawnStatWorker} from '../../src/node/disk/spawn-worker.ts'
import {workerPool} from '../../src/node/disk/worker-pool.ts'
import {known} from '../../src/node/reading.ts'
import {kubelimbo} from '../support/kubelimbo.ts'
import {treeOf} from '../support/tree.ts'

const bin = join(import.meta.dirname, '../../bin/kubelimbo.js')
const command = [process.execPath, bin, 'stat-worker']

/** Reads with workers that are started by these command lines in their order, the last one from then on. */
async function read(root: string, ...commands: readonly (readonly string[])[]) {
  let started = 0
  using pool = workerPool({
    clock: systemClock,
    spawn: () => spawnStatWorker(commands[Math.min(started++, commands.length - 1)] ?? [], {NODE_OPTIONS: '--nonsense'}),
  })
  const disk = await readDisk({root, locate: (path) => path, mounts: [], pool, clock: systemClock, deadlineMs: 60_000, quietMs: 1000})
  return {disk, started}
}

test('stat-worker answers lines of JSON, and ends when its input does', async () => {
  const input =
    '{"id":7,"op":"stat","path":"/nowhere"}\n{"id":8,"op":"mount","paths":["/nowhere","/dev/null/x"],"device":"0:7"}\n{"id":9,"op":"stat","pa'
  const {stdout} = await execa(process.execPath, [bin, 'stat-worker'], {input})
  expect(stdout.split('\n').map((line) => JSON.parse(line))).toEqual([
    {hello: true},
    {id: 7, part: {code: 'ENOENT'}},
    {id: 7, end: true},
    {id: 8, part: {code: 'ENOENT'}},
    {id: 8, part: {code: 'ENOTDIR'}},
    {id: 8, end: true},
  ])
})

test('stat-worker is no command for people', async () => {
  expect((await kubelimbo(['--help'])).stdout).not.toContain('stat-worker')
})

test('readDisk reads with one worker that is kubelimbo itself', async () => {
  const pods = Array.from({length: 300}, (_, index) => `pods/u${String(index).padStart(3, '0')}`)
  const root = await treeOf(
    Object.fromEntries(pods.map((pod) => [`${pod}/volumes/kubernetes.io~csi/v/vol_data.json`, '{"driverName":"d"}'])),
  )
  const {disk, started} = await read(root, command)
  expect(started).toBe(1)
  expect(known(disk['disk.vol-data'])).toEqual(
    pods.map((pod) => ({path: `${pod}/volumes/kubernetes.io~csi/v/vol_data.json`, data: {driverName: 'd'}})),
  )
  expect(known(disk['disk.entries'])).toHaveLength(2 + 300 * 5)
})

test('readDisk says that a worker does not answer, that it ended, or that there is no such program', async () => {
  const root = await treeOf({'pods/u/etc-hosts': ''})
  const [, top] = root.split('/')
  const hangs = ['/bin/sh', '-c', `echo '{"hello":true}'; exec sleep 600`]
  const entries = async (worker: readonly string[]) => (await read(root, worker)).disk['disk.entries']
  expect(await entries(hangs)).toEqual({state: 'failed', why: `no answer from /${top} within 1000 ms`, tookMs: 1000})
  expect(await entries(['/bin/sh', '-c', 'exit 3'])).toEqual({state: 'failed', why: 'the stat worker ended: exit code 3'})
  expect(await entries(['/nowhere/kubelimbo'])).toMatchObject({state: 'failed', why: expect.stringContaining('ENOENT') as string})
})
