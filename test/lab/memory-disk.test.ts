import {expect, test} from 'vitest'
import {DiskError} from '../../src/kubelet/disk.ts'
import {type MemoryDisk, memoryDisk} from '../../src/lab/memory-disk.ts'

function lab() {
  const told: string[] = []
  let now = 0
  const disk = memoryDisk(
    () => now,
    ({what, entry, path}) => void told.push(`${what} ${entry} ${path}`),
  )
  const at = (ms: number) => {
    now = ms
  }
  return {disk, told, at}
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'OK',
    (error) => (error instanceof DiskError ? error.code : error),
  )

const rows = (disk: MemoryDisk, path: string) =>
  disk.listing(path).map((row) => {
    const more = [row.text, row.target, row.mounted].filter((each) => each !== undefined)
    return [row.kind, row.path, ...more].join(' ')
  })

test('mkdirAll() makes what is missing and tells of it once', async () => {
  const {disk, told} = lab()
  await disk.mkdirAll('/a/b/c')
  await disk.mkdirAll('/a/b/c/')
  await disk.mkdirAll('/a/b/d')
  expect(told).toEqual(['made directory /a/b/c', 'made directory /a/b/d'])
  expect(rows(disk, '/')).toEqual(['directory /a', 'directory /a/b', 'directory /a/b/c', 'directory /a/b/d'])
})

/** /dir with a file, an empty directory, a link to it and one that leads nowhere, a device on a file and a file system on a directory. */
async function furnished() {
  const it = lab()
  const {disk} = it
  await disk.mkdirAll('/dir/empty')
  await disk.writeFile('/dir/file', 'text')
  await disk.symlink('empty', '/dir/link')
  await disk.symlink('/dir/nothing', '/dir/dangling')
  await disk.writeFile('/dir/device', '')
  await disk.mount(disk.makeBlockDevice('d'), '/dir/device')
  await disk.mkdirAll('/dir/mount')
  await disk.mount(disk.makeFilesystem('f'), '/dir/mount')
  await disk.writeFile('/dir/mount/inside', 'x')
  it.told.length = 0
  return it
}

test.each<[string, (disk: MemoryDisk) => Promise<unknown>, string]>([
  ['readDir of nothing', (disk) => disk.readDir('/dir/nothing'), 'ENOENT'],
  ['readDir of a file', (disk) => disk.readDir('/dir/file'), 'ENOTDIR'],
  ['readDir of a link to a directory', (disk) => disk.readDir('/dir/link'), 'OK'],
  ['readFile below a file', (disk) => disk.readFile('/dir/file/x'), 'ENOTDIR'],
  ['readFile of a directory', (disk) => disk.readFile('/dir/empty'), 'EISDIR'],
  ['readFile of a link that leads nowhere', (disk) => disk.readFile('/dir/dangling'), 'ENOENT'],
  ['readFile of a link to itself', async (disk) => disk.symlink('/dir/loop', '/dir/loop').then(() => disk.readFile('/dir/loop')), 'ELOOP'],
  ['writeFile where no folder is', (disk) => disk.writeFile('/no/file', ''), 'ENOENT'],
  ['writeFile over a directory', (disk) => disk.writeFile('/dir/empty', ''), 'EISDIR'],
  ['mkdirAll over a file', (disk) => disk.mkdirAll('/dir/file'), 'ENOTDIR'],
  ['mkdirAll below a file', (disk) => disk.mkdirAll('/dir/file/x'), 'ENOTDIR'],
  ['symlink where something is', (disk) => disk.symlink('/x', '/dir/file'), 'EEXIST'],
  ['rmdir of a directory with entries', (disk) => disk.rmdir('/dir'), 'ENOTEMPTY'],
  ['rmdir of a file', (disk) => disk.rmdir('/dir/file'), 'ENOTDIR'],
  ['rmdir of a link', (disk) => disk.rmdir('/dir/link'), 'ENOTDIR'],
  ['rmdir of a mount point', (disk) => disk.rmdir('/dir/mount'), 'EBUSY'],
  ['rmdir of nothing', (disk) => disk.rmdir('/dir/nothing'), 'ENOENT'],
  ['unlink of a directory', (disk) => disk.unlink('/dir/empty'), 'EISDIR'],
  ['unlink of a mounted device', (disk) => disk.unlink('/dir/device'), 'EBUSY'],
  ['unlink of a link', (disk) => disk.unlink('/dir/link'), 'OK'],
  ['removeAll of nothing', (disk) => disk.removeAll('/dir/nothing'), 'OK'],
  ['removeAll with a mount in it', (disk) => disk.removeAll('/dir'), 'EBUSY'],
  ['isMountPoint of nothing', (disk) => disk.isMountPoint('/dir/nothing'), 'ENOENT'],
  ['unmount of what is not mounted', (disk) => disk.unmount('/dir/empty'), 'EINVAL'],
  ['a directory mounted on a file', (disk) => disk.bindMount('/dir/empty', '/dir/file'), 'ENOTDIR'],
  ['a device mounted on a directory', (disk) => disk.bindMount('/dir/device', '/dir/empty'), 'ENOTDIR'],
  ['a file written on a device', (disk) => disk.writeFile('/dir/device', ''), 'EISDIR'],
])('%s is %s', async (_, act, code) => {
  expect(await codeOf(act((await furnished()).disk))).toBe(code)
})

test.each([
  ['/dir', 'directory'],
  ['/dir/file', 'file'],
  ['/dir/link', 'symlink'],
  ['/dir/dangling', 'symlink'],
  ['/dir/device', 'device'],
  ['/dir/mount/inside', 'file'],
  ['/dir/nothing', undefined],
  ['/none/nothing', undefined],
])('stat() of %s is %s, without following it', async (path, kind) => {
  expect(await (await furnished()).disk.stat(path)).toBe(kind)
})

test('removeAll() takes all but what is mounted, and the way to it', async () => {
  const {disk, told} = await furnished()
  expect(await codeOf(disk.removeAll('/dir'))).toBe('EBUSY')
  expect(told.splice(0)).toEqual([
    'removed directory /dir/empty',
    'removed file /dir/file',
    'removed symlink /dir/link',
    'removed symlink /dir/dangling',
  ])
  expect(rows(disk, '/dir')).toEqual(['device /dir/device d', 'directory /dir/mount f'])
  await disk.unmount('/dir/device')
  await disk.unmount('/dir/mount')
  await disk.removeAll('/dir')
  expect(rows(disk, '/')).toEqual([])
  expect(told).toEqual(['unmounted device /dir/device', 'unmounted directory /dir/mount', 'removed directory /dir'])
})

test('what is mounted covers what was there, and is the same wherever it is mounted', async () => {
  const {disk} = lab()
  await disk.mkdirAll('/a')
  await disk.mkdirAll('/b')
  await disk.writeFile('/a/below', '')
  await disk.mount(disk.makeFilesystem('f'), '/a')
  await disk.bindMount('/a', '/b')
  await disk.writeFile('/b/seen', 'both')
  expect(await disk.readDir('/a')).toEqual(['seen'])
  expect([await disk.mountRefs('/a'), await disk.mountRefs('/b')]).toEqual([['/b'], ['/a']])
  await disk.unmount('/a')
  expect(await disk.readDir('/a')).toEqual(['below'])
  expect(await disk.readFile('/b/seen')).toBe('both')
  expect(await disk.mountRefs('/b')).toEqual([])
})

test('of two mounts on one directory the later is seen, and is unmounted first', async () => {
  const {disk} = lab()
  await disk.mkdirAll('/a')
  await disk.mount(disk.makeFilesystem('one'), '/a')
  await disk.writeFile('/a/one', '')
  await disk.mount(disk.makeFilesystem('two'), '/a')
  expect(await disk.readDir('/a')).toEqual([])
  await disk.unmount('/a')
  expect(await disk.readDir('/a')).toEqual(['one'])
  await disk.unmount('/a')
  expect(await disk.isMountPoint('/a')).toBe(false)
})

test('unmount() is EBUSY while something is mounted in it', async () => {
  const {disk} = lab()
  await disk.mkdirAll('/a')
  await disk.mount(disk.makeFilesystem('f'), '/a')
  await disk.mkdirAll('/a/b')
  await disk.mount(disk.makeFilesystem('g'), '/a/b')
  expect(await codeOf(disk.unmount('/a'))).toBe('EBUSY')
  await disk.unmount('/a/b')
  await disk.unmount('/a')
  expect(await disk.readDir('/a')).toEqual([])
})

test('a mount in a bind-mounted directory is not seen at its other place', async () => {
  const {disk} = lab()
  for (const path of ['/a/in', '/b']) await disk.mkdirAll(path)
  await disk.bindMount('/a', '/b')
  await disk.mount(disk.makeFilesystem('f'), '/a/in')
  expect([await disk.isMountPoint('/a/in'), await disk.isMountPoint('/b/in')]).toEqual([true, false])
})

test('listing() shows each with what it is, sorted, and does not look into mounts', async () => {
  const {disk} = await furnished()
  expect(rows(disk, '/dir')).toEqual([
    'symlink /dir/dangling /dir/nothing',
    'device /dir/device d',
    'directory /dir/empty',
    'file /dir/file text',
    'symlink /dir/link empty',
    'directory /dir/mount f',
  ])
  expect(rows(disk, '/dir/mount')).toEqual(['file /dir/mount/inside x'])
  expect(rows(disk, '/none')).toEqual([])
})

test('a directory is as old as its newest entry, or as the last that left it', async () => {
  const {disk, at} = lab()
  const age = () => disk.listing('/').map(({path, modifiedAt}) => `${path} ${modifiedAt}`)
  await disk.mkdirAll('/a')
  at(5)
  await disk.writeFile('/a/b', '')
  expect(age()).toEqual(['/a 5', '/a/b 5'])
  at(7)
  await disk.writeFile('/a/b', 'more')
  expect(age()).toEqual(['/a 5', '/a/b 7'])
  at(9)
  await disk.unlink('/a/b')
  expect(age()).toEqual(['/a 9'])
})

test('mounts() lists what is mounted, in the order in which it was', async () => {
  const {disk} = await furnished()
  await disk.bindMount('/dir/mount', '/dir/empty')
  const mounts = () => disk.mounts().map(({path, device, kind}) => `${path} ${device} ${kind}`)
  expect(mounts()).toEqual(['/dir/device d device', '/dir/mount f directory', '/dir/empty f directory'])
  await disk.unmount('/dir/mount')
  expect(mounts()).toEqual(['/dir/device d device', '/dir/empty f directory'])
})
