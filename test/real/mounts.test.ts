// Against the kernel's own mounts: tmpfs, binds, and FUSE file systems that are dead or hang.
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {execa} from 'execa'
import {expect, test} from 'vitest'
import type {DiskReadings} from '../../src/node/disk/read-disk.ts'
import type {MountLook} from '../../src/node/kernel/facts.ts'
import {known} from '../../src/node/reading.ts'
import {brokenFuse, mounted} from '../support/mounts.ts'
import {tempDir} from '../support/socket-dir.ts'
import {treeOf} from '../support/tree.ts'

const script = join(import.meta.dirname, '../support/read-disk-main.ts')
const bin = join(import.meta.dirname, '../../bin/kubelimbo.js')

/** In a process of its own, which has to end. */
async function readingsOf(root: string, deadlineMs = 20_000): Promise<DiskReadings> {
  const {stdout} = await execa(process.execPath, [script, bin, root, String(deadlineMs)], {timeout: deadlineMs + 20_000})
  return JSON.parse(stdout) as DiskReadings
}

function outcomes(root: string, readings: DiskReadings): Record<string, MountLook['outcome']> {
  const looks = known(readings['disk.mounts']) ?? []
  return Object.fromEntries(looks.map(({mountPoint, outcome}) => [mountPoint.slice(root.length + 1), outcome]))
}

const paths = (readings: DiskReadings) => known(readings['disk.entries'])?.map(({path}) => path) ?? []
const volume = 'pods/u/volumes/kubernetes.io~csi'

test('readDisk crosses no mount point and looks at each', async () => {
  const root = await treeOf({[`${volume}/a/vol_data.json`]: '{"driverName":"d"}', 'data/inside': 'text', 'pods/u/etc-hosts': ''})
  await using _tmpfs = await mounted('-t', 'tmpfs', '-o', 'size=1M', 'none', join(root, volume, 'a/mount'))
  writeFileSync(join(root, volume, 'a/mount/secret'), '')
  await using _bind = await mounted('--bind', join(root, 'data'), join(root, volume, 'b/mount'))
  const readings = await readingsOf(root)
  expect(outcomes(root, readings)).toEqual({
    [`${volume}/a/mount`]: {state: 'ok', device: expect.stringMatching(/^0:\d+$/) as string},
    [`${volume}/b/mount`]: {state: 'ok', device: expect.stringMatching(/^\d+:\d+$/) as string},
  })
  expect(readings['disk.entries']).not.toHaveProperty('incomplete')
  expect(paths(readings)).toEqual(expect.arrayContaining([`${volume}/a/mount`, `${volume}/a/vol_data.json`, `${volume}/b/mount`]))
  expect(paths(readings).filter((path) => path.includes('secret') || path.includes('inside'))).toEqual([])
})

test('readDisk enters a kubelet root and a pods directory that are mounts of their own', async () => {
  const root = tempDir()
  await using _root = await mounted('-t', 'tmpfs', '-o', 'size=1M', 'none', root)
  await using _pods = await mounted('-t', 'tmpfs', '-o', 'size=1M', 'none', join(root, 'pods'))
  await treeOf({'pods/u/etc-hosts': ''}, root)
  const readings = await readingsOf(root)
  expect(readings['disk.entries']).not.toHaveProperty('incomplete')
  expect(paths(readings)).toEqual(['', 'pods', 'pods/u', 'pods/u/etc-hosts'])
  expect(outcomes(root, readings)).toMatchObject({pods: {state: 'ok'}})
})

test('readDisk tells what FUSE file systems say whose daemons are gone or in trouble', async () => {
  const root = tempDir()
  const at = (name: string) => join(root, volume, name, 'mount')
  await using dead = await brokenFuse(at('dead'))
  await using _stale = await brokenFuse(at('stale'), 'ESTALE')
  await using _io = await brokenFuse(at('io'), 'EIO')
  await using _down = await brokenFuse(at('down'), 'EHOSTDOWN')
  await using _denied = await brokenFuse(at('denied'), 'EACCES')
  await dead.die()
  const readings = await readingsOf(root)
  const said = Object.fromEntries(Object.entries(outcomes(root, readings)).map(([path, outcome]) => [path.split('/').at(-2), outcome]))
  expect(said).toEqual({
    dead: {state: 'error', code: 'ENOTCONN'},
    stale: {state: 'error', code: 'ESTALE'},
    io: {state: 'error', code: 'EIO'},
    down: {state: 'error', code: 'EHOSTDOWN'},
    denied: {state: 'error', code: 'EACCES'},
  })
})

test('readDisk reads all else and ends in time while four looks hang, which not even SIGKILL ends', async () => {
  const root = await treeOf({[`${volume}/well/vol_data.json`]: '{"driverName":"d"}', 'pods/v/etc-hosts': ''})
  const at = (name: string) => join(root, volume, name, 'mount')
  await using _1 = await brokenFuse(at('hangs1'))
  await using _2 = await brokenFuse(at('hangs2'))
  await using _3 = await brokenFuse(at('hangs3'))
  await using _4 = await brokenFuse(at('hangs4'))
  await using _well = await mounted('-t', 'tmpfs', '-o', 'size=1M', 'none', at('well'))
  const readings = await readingsOf(root, 10_000)
  const looks = outcomes(root, readings)
  const silent = {state: 'silent', afterMs: 3000}
  for (const name of ['hangs1', 'hangs2', 'hangs3', 'hangs4']) expect(looks[`${volume}/${name}/mount`]).toEqual(silent)
  expect(looks[`${volume}/well/mount`]).toMatchObject({state: 'ok'})
  expect(readings['disk.entries']).not.toHaveProperty('incomplete')
  expect(paths(readings)).toEqual(expect.arrayContaining([`${volume}/hangs1/mount`, `${volume}/well/vol_data.json`, 'pods/v/etc-hosts']))
})

test('readDisk skips what is left once eight workers hang', async () => {
  const root = tempDir()
  await using stack = new AsyncDisposableStack()
  for (let index = 0; index < 10; index++) stack.use(await brokenFuse(join(root, volume, `v${index}`, 'mount')))
  const looks = Object.values(outcomes(root, await readingsOf(root)))
  expect(looks.map(({state}) => state)).toEqual([...Array(8).fill('silent'), 'skipped', 'skipped'])
  expect(looks.at(-1)).toEqual({state: 'skipped', why: '8 workers hang'})
})

test('readDisk gives up a root that hangs', async () => {
  const root = tempDir()
  await using _hangs = await brokenFuse(join(root, 'kubelet'))
  const readings = await readingsOf(join(root, 'kubelet'))
  expect(readings['disk.entries']).toEqual({state: 'failed', why: `no answer from ${root}/kubelet within 3000 ms`, tookMs: 3000})
})
