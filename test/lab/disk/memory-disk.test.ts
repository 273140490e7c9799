import {expect, test} from 'vitest'
import {DiskError} from '../../../src/kubelet/disk.ts'
import {type MemoryDisk, memoryDisk} from '../../../src/lab/disk/memory-disk.ts'

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
