import {mkdirSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import type {Request} from '../../../src/node/disk/protocol.ts'
import {type DiskOptions, readDisk} from '../../../src/node/disk/read-disk.ts'
import type {WorkerProcess} from '../../../src/node/disk/stat-worker.ts'
import {workerPool} from '../../../src/node/disk/worker-pool.ts'
import {parseMountinfo} from '../../../src/node/mountinfo.ts'
import {known, type Reading} from '../../../src/node/reading.ts'
import {manualClock} from '../../support/manual-clock.ts'
import {type Leaf, treeOf} from '../../support/tree.ts'
import {fakeWorker, workerHere} from '../../support/workers.ts'

interface Node {
  readonly leaves: Readonly<Record<string, Leaf>>
  /** Paths of the node and what is mounted there. */
  readonly mounts?: readonly (readonly [string, string, string?])[]
  readonly root?: string
  readonly spawn?: () => WorkerProcess
  readonly options?: Partial<DiskOptions>
}

async function diskOf({leaves, mounts = [], root = '/var/lib/kubelet', spawn = workerHere, options}: Node) {
  const top = await treeOf(leaves)
  using pool = workerPool({clock: options?.clock ?? systemClock, spawn})
  const table = mounts.map(([at, type, device = '8:32'], index) => `${index + 2} 1 ${device} / ${at} rw - ${type} x rw\n`).join('')
  const locate = (path: string) => (path === '/' ? top : top + path)
  return await readDisk({root, locate, mounts: parseMountinfo(table), pool, clock: systemClock, deadlineMs: 60_000, ...options})
}

const paths = (reading: Reading<readonly {readonly path: string}[]>) => known(reading)?.map(({path}) => path)

const volume = 'pods/u/volumes/kubernetes.io~csi/pv1'
const kubelet = 'var/lib/kubelet'

test('readDisk gives the entries, the vol_data.json files and a look at each mount point', async () => {
  const disk = await diskOf({
    leaves: {[`${kubelet}/${volume}/mount/file`]: '', [`${kubelet}/${volume}/vol_data.json`]: '{"driverName":"d","volumeHandle":"h"}'},
    mounts: [
      ['/var/lib/kubelet', 'ext4'],
      [`/var/lib/kubelet/${volume}/mount`, 'ext4'],
      ['/run', 'tmpfs'],
    ],
  })
  expect(paths(disk['disk.entries'])).toEqual([
    '',
    'pods',
    'pods/u',
    'pods/u/volumes',
    'pods/u/volumes/kubernetes.io~csi',
    volume,
    `${volume}/mount`,
    `${volume}/vol_data.json`,
  ])
  expect(disk['disk.vol-data']).toEqual({
    state: 'read',
    value: [{path: `${volume}/vol_data.json`, data: {driverName: 'd', volumeHandle: 'h'}}],
  })
  const [look] = known(disk['disk.mounts']) ?? []
  expect(known(disk['disk.mounts'])).toHaveLength(1)
  expect(look).toMatchObject({mountPoint: `/var/lib/kubelet/${volume}/mount`, outcome: {state: 'ok'}})
  expect(disk).not.toHaveProperty('rootReal')
})

test('readDisk fills the entry of a mount point from the look at it', async () => {
  const disk = await diskOf({leaves: {[`${kubelet}/${volume}/mount/`]: ''}, mounts: [[`/var/lib/kubelet/${volume}/mount`, 'ext4']]})
  const entry = known(disk['disk.entries'])?.find(({path}) => path === `${volume}/mount`)
  expect(entry).toMatchObject({
    type: 'directory',
    mode: expect.toSatisfy((mode: number) => mode > 0) as number,
    modifiedAt: expect.any(Number) as number,
  })
  expect(entry).not.toHaveProperty('content')
})

describe('readDisk makes of a vol_data.json', () => {
  test.each<[string, Leaf, object]>([
    ['of no bytes: unreadable', '', {unreadable: 'it is empty'}],
    ['of a line end: unreadable', '\n', {unreadable: 'it holds only white space'}],
    ['that is cut off: unreadable', '{"specVolID":"pvc-', {unreadable: 'it breaks off'}],
    ['with more behind it: what comes first', '{"driverName":"a"}{"driverName":"b"}', {driverName: 'a'}],
    [
      'with a strange handle: the handle',
      '{"volumeHandle":"host#path/to/share#pvc-1##^ é"}',
      {volumeHandle: 'host#path/to/share#pvc-1##^ é'},
    ],
    ['that is a FIFO: unreadable', {fifo: true}, {unreadable: 'it is a FIFO'}],
    ['that is a socket: unreadable', {socket: true}, {unreadable: 'it is a socket'}],
    ['that is a link to itself: unreadable', {link: 'vol_data.json'}, {unreadable: 'it is a link, which is not followed'}],
    ['of 10 MB: unreadable', Buffer.alloc(10_000_000), {unreadable: 'it has 10000000 bytes, and no more than 65536 are looked at'}],
  ])('%s', async (_, leaf, data) => {
    const disk = await diskOf({leaves: {[`${kubelet}/${volume}/vol_data.json`]: leaf}})
    expect(disk['disk.vol-data']).toEqual({state: 'read', value: [{path: `${volume}/vol_data.json`, data}]})
  })
})

describe("readDisk reads a kubelet's root at", () => {
  test.each([
    '/var/lib/kubelet',
    '/var/lib/k0s/kubelet',
    '/var/snap/microk8s/common/var/lib/kubelet',
    '/opt/kubelet',
    '/var/lib/origin/openshift.local.volumes',
    '/paasdata/docker',
  ])('%s', async (root) => {
    const disk = await diskOf({leaves: {[`${root.slice(1)}/pods/u/etc-hosts`]: ''}, root})
    expect(paths(disk['disk.entries'])).toContain('pods/u/etc-hosts')
  })
})

test('readDisk says where a root leads that is a link, and knows the mount points under both names', async () => {
  const disk = await diskOf({
    leaves: {
      'data/kubelet/pods/u/volumes/kubernetes.io~csi/pv1/mount/': '',
      'var/lib/kubelet': {link: '/mnt/k'},
      'mnt/k': {link: '../data/kubelet'},
    },
    mounts: [
      [`/data/kubelet/${volume}/mount`, 'ext4'],
      [`/var/lib/kubelet/${volume}`, 'ext4'],
    ],
  })
  expect(disk.rootReal).toBe('/data/kubelet')
  expect(known(disk['disk.mounts'])?.map(({mountPoint, outcome}) => [mountPoint, outcome.state])).toEqual([
    [`/data/kubelet/${volume}/mount`, 'ok'],
    [`/var/lib/kubelet/${volume}`, 'error'],
  ])
  expect(paths(disk['disk.entries'])).not.toContain(`${volume}/mount`)
})

test('readDisk says that there is no root, and whose fault that is not', async () => {
  const nothing = {state: 'absent', why: 'there is no /var/lib/kubelet'}
  expect(await diskOf({leaves: {'var/lib/x': ''}})).toEqual({'disk.entries': nothing, 'disk.vol-data': nothing, 'disk.mounts': nothing})
})

test('readDisk touches neither an automount nor a root below one', async () => {
  const asked: Request[] = []
  const spawn = () => workerHere((request) => asked.push(request) > 0)
  const below = await diskOf({leaves: {}, root: '/net/kubelet', mounts: [['/net', 'autofs']], spawn})
  expect(below['disk.entries']).toEqual({state: 'failed', why: '/net lies on an automount, which a look would mount'})
  const at = `/var/lib/kubelet/pods/u/volumes/kubernetes.io~nfs/home`
  const disk = await diskOf({
    leaves: {[`${at.slice(1)}/`]: ''},
    mounts: [
      [at, 'nfs4'],
      [at, 'autofs'],
    ],
    spawn,
  })
  expect(known(disk['disk.mounts'])).toEqual([
    {mountPoint: at, outcome: {state: 'skipped', why: 'it is an automount, which a look would mount'}},
  ])
  expect(asked.map(({op}) => op)).not.toContain('mount')
})

test('readDisk looks at no mount without a mount table', async () => {
  const disk = await diskOf({leaves: {[`${kubelet}/pods/u/etc-hosts`]: ''}, options: {mounts: undefined}})
  expect(paths(disk['disk.entries'])).toContain('pods/u/etc-hosts')
  expect(disk['disk.mounts']).toEqual({state: 'absent', why: 'the mount table was not read'})
})

test('readDisk gives up the pod that a walk hangs in, and walks on', async () => {
  const clock = manualClock()
  let workers = 0
  const spawn = () => {
    const here = workerHere()
    // The first one hangs once it has said that it enters pods/b.
    if (workers++ > 0) return here
    let hangs = false
    return {
      ...here,
      listen: ({line, end}: Parameters<WorkerProcess['listen']>[0]) =>
        here.listen({
          line: (text) => {
            if (!hangs) line(text)
            hangs ||= text.includes('"entering":"pods/b"')
          },
          end,
        }),
    }
  }
  const leaves = Object.fromEntries(['a', 'b', 'c'].map((pod) => [`${kubelet}/pods/${pod}/etc-hosts`, '']))
  const reading = diskOf({leaves, spawn, options: {clock}})
  for (let second = 0; second < 7; second++) await clock.advance(1000)
  const disk = await reading
  expect(paths(disk['disk.entries'])).toEqual(['', 'pods', 'pods/a', 'pods/a/etc-hosts', 'pods/c', 'pods/c/etc-hosts'])
  expect(disk['disk.entries']).toMatchObject({incomplete: 'pods/b: no answer within 3000 ms'})
  expect(disk['disk.vol-data']).toMatchObject({incomplete: 'pods/b: no answer within 3000 ms'})
})

test('readDisk says why the root gave no answer', async () => {
  const clock = manualClock()
  const reading = diskOf({leaves: {}, spawn: () => fakeWorker({undying: true}), options: {clock}})
  await clock.advance(5000)
  const silent = {state: 'failed', why: 'no answer from /var within 3000 ms', tookMs: 3000}
  expect(await reading).toEqual({'disk.entries': silent, 'disk.vol-data': silent, 'disk.mounts': silent})
})

test('readDisk says why no worker could be started', async () => {
  const spawn = () => {
    throw new Error('spawn EAGAIN')
  }
  expect((await diskOf({leaves: {}, spawn}))['disk.entries']).toEqual({state: 'failed', why: 'spawn EAGAIN'})
})

test('readDisk ends at its deadline, whatever hangs', async () => {
  const clock = manualClock()
  const leaves = {[`${kubelet}/${volume}/mount/`]: '', [`${kubelet}/pods/u/volumes/kubernetes.io~nfs/a/`]: ''}
  const spawn = () => workerHere(({op}) => op !== 'mount')
  const mounts = [
    [`/var/lib/kubelet/${volume}/mount`, 'ext4'],
    ['/var/lib/kubelet/pods/u/volumes/kubernetes.io~nfs/a', 'nfs4'],
  ] as const
  const reading = diskOf({leaves, spawn, mounts, options: {clock, deadlineMs: 4000}})
  for (let second = 0; second < 4; second++) await clock.advance(1000)
  expect(known((await reading)['disk.mounts'])?.map(({outcome}) => outcome)).toEqual([
    {state: 'silent', afterMs: 3000},
    {state: 'skipped', why: 'not done within 4000 ms'},
  ])
})

test("readDisk rejects with its caller's reason", async () => {
  const controller = new AbortController()
  const reading = diskOf({leaves: {}, spawn: () => fakeWorker(), options: {signal: controller.signal}})
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})

test('readDisk says that it was done with nothing when the root is no directory', async () => {
  const disk = await diskOf({leaves: {[kubelet]: 'a file'}, spawn: () => workerHere()})
  expect(paths(disk['disk.entries'])).toEqual([''])
  expect(disk['disk.entries']).toMatchObject({incomplete: 'it cannot be listed: ENOTDIR'})
})

test('readDisk says of a root that hangs on which mount it does', async () => {
  const clock = manualClock()
  const reading = diskOf({
    leaves: {},
    mounts: [['/var', 'nfs4']],
    spawn: () => fakeWorker({undying: true}),
    options: {clock, quietMs: 3000},
  })
  while (clock.sleepers().length < 2) await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(4000)
  const disk = await reading
  expect(disk['disk.entries']).toMatchObject({state: 'failed', why: expect.stringContaining('within 3000 ms') as string})
  expect(disk['disk.mounts']).toEqual({state: 'read', value: [{mountPoint: '/var', outcome: {state: 'silent', afterMs: 3000}}]})
})

test('readDisk takes a directory without pods for no root of a kubelet', async () => {
  const disk = await diskOf({leaves: {[`${kubelet}/plugins/`]: ''}})
  const none = {state: 'absent', why: 'there is no /var/lib/kubelet/pods'}
  expect(disk).toEqual({'disk.entries': none, 'disk.vol-data': none, 'disk.mounts': none})
})

test('readDisk tells of a name that is not UTF-8, which it cannot enter', async () => {
  const top = await treeOf({[`${kubelet}/pods/u/`]: ''})
  mkdirSync(Buffer.concat([Buffer.from(`${top}/${kubelet}/pods/u/`), Buffer.from([0x70, 0xff])]))
  using pool = workerPool({clock: systemClock, spawn: workerHere})
  const locate = (path: string) => top + path
  const disk = await readDisk({root: '/var/lib/kubelet', locate, mounts: [], pool, clock: systemClock, deadlineMs: 60_000})
  expect(disk['disk.entries']).toMatchObject({state: 'read', incomplete: 'pods/u/p\ufffd is not entered: its name is not UTF-8'})
})
