// What every disk of the model does, whatever lies behind it.
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Disk, DiskError, kubeletRoot} from '../../src/kubelet/disk.ts'
import {memoryDisk} from '../../src/lab/disk/memory-disk.ts'
import type {LabDisk} from '../../src/lab/disk/tree-disk.ts'

export interface MountableDisk extends AsyncDisposable {
  readonly disk: Disk
  /** A file system of its own, on a directory. */
  mountFilesystem(path: string): Promise<void>
  /** A device, on a file. */
  mountDevice(path: string): Promise<void>
}

export function mountableLabDisk(disk: LabDisk): MountableDisk {
  return {
    disk,
    mountFilesystem: (path) => disk.mount(disk.makeFilesystem('f'), path),
    mountDevice: (path) => disk.mount(disk.makeBlockDevice('d'), path),
    [Symbol.asyncDispose]: async () => {},
  }
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'OK',
    (error) => (error instanceof DiskError ? error.code : error),
  )

const at = (path: string) => `${kubeletRoot}/${path}`

/** dir with a file, an empty directory, a link to it and one that leads nowhere, a device on a file and a file system on a directory. */
async function furnish({disk, mountFilesystem, mountDevice}: MountableDisk): Promise<Disk> {
  await disk.mkdirAll(at('dir/empty'))
  await disk.writeFile(at('dir/file'), 'text')
  await disk.symlink('empty', at('dir/link'))
  await disk.symlink(at('dir/nothing'), at('dir/dangling'))
  await disk.symlink(at('dir/file'), at('dir/absolute'))
  await disk.writeFile(at('dir/device'), '')
  await mountDevice(at('dir/device'))
  await disk.mkdirAll(at('dir/mount'))
  await mountFilesystem(at('dir/mount'))
  await disk.writeFile(at('dir/mount/inside'), 'x')
  return disk
}

/** @param runs of the comparison with the disk in memory, each with a disk of its own; 0 for itself */
export function diskContract(name: string, make: () => Promise<MountableDisk>, runs: number): void {
  describe(`the contract of disks, with ${name}`, () => {
    test.each<[string, (disk: Disk) => Promise<unknown>, string]>([
      ['readDir of nothing', (disk) => disk.readDir(at('dir/nothing')), 'ENOENT'],
      ['readDir of a file', (disk) => disk.readDir(at('dir/file')), 'ENOTDIR'],
      ['readDir of a link to a directory', (disk) => disk.readDir(at('dir/link')), 'OK'],
      ['readFile below a file', (disk) => disk.readFile(at('dir/file/x')), 'ENOTDIR'],
      ['readFile of a directory', (disk) => disk.readFile(at('dir/empty')), 'EISDIR'],
      ['readFile of a link to a file', (disk) => disk.readFile(at('dir/absolute')), 'OK'],
      ['readFile of a link that leads nowhere', (disk) => disk.readFile(at('dir/dangling')), 'ENOENT'],
      [
        'readFile of a link to itself',
        async (disk) => disk.symlink(at('dir/loop'), at('dir/loop')).then(() => disk.readFile(at('dir/loop'))),
        'ELOOP',
      ],
      ['writeFile where no folder is', (disk) => disk.writeFile(at('no/file'), ''), 'ENOENT'],
      ['writeFile over a directory', (disk) => disk.writeFile(at('dir/empty'), ''), 'EISDIR'],
      ['writeFile where a link leads nowhere', (disk) => disk.writeFile(at('dir/dangling'), ''), 'OK'],
      ['mkdirAll over a file', (disk) => disk.mkdirAll(at('dir/file')), 'ENOTDIR'],
      ['mkdirAll below a file', (disk) => disk.mkdirAll(at('dir/file/x')), 'ENOTDIR'],
      ['mkdirAll where a link leads nowhere', (disk) => disk.mkdirAll(at('dir/dangling')), 'EEXIST'],
      ['mkdirAll below a link that leads nowhere', (disk) => disk.mkdirAll(at('dir/dangling/x')), 'EEXIST'],
      ['mkdirAll of what is there, with a slash', (disk) => disk.mkdirAll(at('dir//empty/')), 'OK'],
      ['symlink where something is', (disk) => disk.symlink('/x', at('dir/file')), 'EEXIST'],
      ['rmdir of a directory with entries', (disk) => disk.rmdir(at('dir')), 'ENOTEMPTY'],
      ['rmdir of a file', (disk) => disk.rmdir(at('dir/file')), 'ENOTDIR'],
      ['rmdir of a link', (disk) => disk.rmdir(at('dir/link')), 'ENOTDIR'],
      ['rmdir of a mount point', (disk) => disk.rmdir(at('dir/mount')), 'EBUSY'],
      ['rmdir of nothing', (disk) => disk.rmdir(at('dir/nothing')), 'ENOENT'],
      ['unlink of a directory', (disk) => disk.unlink(at('dir/empty')), 'EISDIR'],
      ['unlink of a mounted device', (disk) => disk.unlink(at('dir/device')), 'EBUSY'],
      ['unlink of a link', (disk) => disk.unlink(at('dir/link')), 'OK'],
      ['unlink of nothing', (disk) => disk.unlink(at('dir/nothing')), 'ENOENT'],
      ['removeAll of nothing', (disk) => disk.removeAll(at('dir/nothing')), 'OK'],
      ['removeAll below nothing', (disk) => disk.removeAll(at('dir/nothing/x')), 'OK'],
      ['removeAll with a mount in it', (disk) => disk.removeAll(at('dir')), 'EBUSY'],
      ['isMountPoint of nothing', (disk) => disk.isMountPoint(at('dir/nothing')), 'ENOENT'],
      ['mountRefs of nothing', (disk) => disk.mountRefs(at('dir/nothing')), 'ENOENT'],
      ['unmount of what is not mounted', (disk) => disk.unmount(at('dir/empty')), 'EINVAL'],
      ['a directory mounted on a file', (disk) => disk.bindMount(at('dir/empty'), at('dir/file')), 'ENOTDIR'],
      ['a device mounted on a directory', (disk) => disk.bindMount(at('dir/device'), at('dir/empty')), 'ENOTDIR'],
      ['a mount of nothing', (disk) => disk.bindMount(at('dir/nothing'), at('dir/empty')), 'ENOENT'],
      ['a file written on a device', (disk) => disk.writeFile(at('dir/device'), ''), 'EISDIR'],
      ['a device read', (disk) => disk.readFile(at('dir/device')), 'EISDIR'],
    ])('%s is %s', async (_, act, code) => {
      await using it = await make()
      expect(await codeOf(act(await furnish(it)))).toBe(code)
    })

    test('stat() tells what each is, without following it', async () => {
      await using it = await make()
      const disk = await furnish(it)
      const names = ['dir', 'dir/file', 'dir/link', 'dir/dangling', 'dir/device', 'dir/mount/inside', 'dir/nothing', 'none/nothing']
      expect(await Promise.all(names.map((path) => disk.stat(at(path))))).toEqual([
        'directory',
        'file',
        'symlink',
        'symlink',
        'device',
        'file',
        undefined,
        undefined,
      ])
      expect(await codeOf(disk.stat(at('dir/file/x')))).toBe('ENOTDIR')
    })

    test('removeAll() takes all but what is mounted, and the way to it', async () => {
      await using it = await make()
      const disk = await furnish(it)
      await disk.mkdirAll(at('dir/empty/not'))
      expect(await codeOf(disk.removeAll(at('dir')))).toBe('EBUSY')
      expect(await disk.readDir(at('dir'))).toEqual(['device', 'mount'])
      expect(await disk.readFile(at('dir/mount/inside'))).toBe('x')
      await disk.unmount(at('dir/device'))
      await disk.unmount(at('dir/mount'))
      await disk.removeAll(at('dir'))
      expect(await disk.stat(at('dir'))).toBeUndefined()
    })

    test('what is mounted covers what was there, and is the same wherever it is mounted', async () => {
      await using it = await make()
      const {disk, mountFilesystem} = it
      for (const path of ['a', 'b']) await disk.mkdirAll(at(path))
      await disk.writeFile(at('a/below'), '')
      await mountFilesystem(at('a'))
      await disk.bindMount(at('a'), at('b'))
      await disk.writeFile(at('b/seen'), 'both')
      expect(await disk.readDir(at('a'))).toEqual(['seen'])
      expect([await disk.mountRefs(at('a')), await disk.mountRefs(at('b'))]).toEqual([[at('b')], [at('a')]])
      await disk.unmount(at('a'))
      expect(await disk.readDir(at('a'))).toEqual(['below'])
      expect(await disk.readFile(at('b/seen'))).toBe('both')
      expect(await disk.mountRefs(at('b'))).toEqual([])
    })

    test('a directory that is mounted elsewhere has its mounts as references', async () => {
      await using it = await make()
      const {disk} = it
      for (const path of ['a/in', 'b', 'c']) await disk.mkdirAll(at(path))
      await disk.bindMount(at('a/in'), at('c'))
      await disk.bindMount(at('a/in'), at('b'))
      expect([await disk.mountRefs(at('a/in')), await disk.mountRefs(at('b'))]).toEqual([[at('b'), at('c')], [at('c')]])
      expect(await disk.mountRefs(at('a'))).toEqual([])
    })

    test('mountRefs() tells where a mount really is, however it was spelled', async () => {
      await using it = await make()
      const {disk} = it
      for (const path of ['a/in', 'b']) await disk.mkdirAll(at(path))
      await disk.symlink(at('b'), at('a/link'))
      await disk.bindMount(at('a/in'), at('a/link'))
      expect([await disk.mountRefs(at('a/in')), await disk.isMountPoint(at('a/link'))]).toEqual([[at('b')], true])
      await disk.unmount(at('a/link'))
      expect(await disk.isMountPoint(at('b'))).toBe(false)
    })

    test('a directory that was removed is empty where it is still mounted, whatever comes to its place', async () => {
      await using it = await make()
      const {disk} = it
      for (const path of ['a', 'b']) await disk.mkdirAll(at(path))
      await disk.bindMount(at('a'), at('b'))
      await disk.rmdir(at('a'))
      await disk.mkdirAll(at('a/new'))
      expect([await disk.readDir(at('b')), await disk.isMountPoint(at('b')), await disk.mountRefs(at('a'))]).toEqual([[], true, []])
      expect(await codeOf(disk.mkdirAll(at('b/new')))).toBe('ENOENT')
      expect(await codeOf(disk.writeFile(at('b/file'), ''))).toBe('ENOENT')
      await disk.unmount(at('b'))
    })

    test('a file that was removed is still there where it is mounted', async () => {
      await using it = await make()
      const {disk} = it
      for (const path of ['a', 'b']) await disk.writeFile(at(path), `of ${path}`)
      await disk.bindMount(at('a'), at('b'))
      await disk.unlink(at('a'))
      await disk.writeFile(at('a'), 'new')
      expect([await disk.readFile(at('b')), await disk.readFile(at('a'))]).toEqual(['of a', 'new'])
      await disk.writeFile(at('b'), 'more')
      expect(await disk.readFile(at('b'))).toBe('more')
      await disk.unmount(at('b'))
      expect(await disk.readFile(at('b'))).toBe('of b')
    })

    test('of two mounts on one directory the later is seen, and is unmounted first', async () => {
      await using it = await make()
      const {disk, mountFilesystem} = it
      await disk.mkdirAll(at('a'))
      await mountFilesystem(at('a'))
      await disk.writeFile(at('a/one'), '')
      await mountFilesystem(at('a'))
      expect(await disk.readDir(at('a'))).toEqual([])
      await disk.unmount(at('a'))
      expect(await disk.readDir(at('a'))).toEqual(['one'])
      await disk.unmount(at('a'))
      expect(await disk.isMountPoint(at('a'))).toBe(false)
    })

    test('unmount() is EBUSY while something is mounted in it', async () => {
      await using it = await make()
      const {disk, mountFilesystem} = it
      await disk.mkdirAll(at('a'))
      await mountFilesystem(at('a'))
      await disk.mkdirAll(at('a/b'))
      await mountFilesystem(at('a/b'))
      expect(await codeOf(disk.unmount(at('a')))).toBe('EBUSY')
      await disk.unmount(at('a/b'))
      await disk.unmount(at('a'))
      expect(await disk.readDir(at('a'))).toEqual([])
    })

    test('a mount in a bind-mounted directory is not seen at its other place', async () => {
      await using it = await make()
      const {disk, mountFilesystem} = it
      for (const path of ['a/in', 'b']) await disk.mkdirAll(at(path))
      await disk.bindMount(at('a'), at('b'))
      await mountFilesystem(at('a/in'))
      expect([await disk.isMountPoint(at('a/in')), await disk.isMountPoint(at('b/in'))]).toEqual([true, false])
    })

    if (runs === 0) return
    test('whatever is done, it answers as the disk in memory', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, {minLength: 3, maxLength: 20}), async (steps) => {
          await using it = await make()
          const inMemory = memoryDisk(() => 0)
          const memory = mountableLabDisk(inMemory)
          await inMemory.mkdirAll(kubeletRoot)
          const answers: unknown[] = []
          const expected: unknown[] = []
          for (const each of steps) {
            if (hidesMounts(each, inMemory)) continue
            answers.push([each.does, ...each.paths, await answerOf(each, it)])
            expected.push([each.does, ...each.paths, await answerOf(each, memory)])
          }
          expect(answers).toEqual(expected)
          expect(await allBelow(it.disk, kubeletRoot)).toEqual(await allBelow(memory.disk, kubeletRoot))
        }),
        {numRuns: runs},
      )
    })
  })
}

interface Step {
  readonly does: Exclude<keyof Disk, 'attachFileDevice' | 'detachFileDevice'> | 'mountFilesystem' | 'mountDevice'
  readonly paths: readonly [string, string]
}

const folders = fc.constantFrom('a', 'b', 'a/c', 'a/c/d', 'b/c')
const links = fc.constantFrom('l', 'a/l')
const all = fc.oneof({weight: 3, arbitrary: folders}, links, fc.constantFrom('l/c', 'a/l/x'))
const does = (weight: number, path: fc.Arbitrary<string>, other: fc.Arbitrary<string>, ...some: Step['does'][]) => ({
  weight,
  arbitrary: fc.record({does: fc.constantFrom(...some), paths: fc.tuple(path, other)}),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  does(4, folders, all, 'mkdirAll'),
  does(3, all, all, 'mkdirAll', 'writeFile', 'unmount', 'mountRefs'),
  does(4, folders, all, 'bindMount', 'mountFilesystem', 'mountDevice'),
  does(1, links, all, 'symlink'),
  does(2, all, all, 'rmdir', 'unlink', 'removeAll', 'stat', 'readDir', 'readFile', 'isMountPoint'),
)

/** The kernel's table goes on naming what is covered together with its mount point, and upstream goes by the table: not so the disk in memory. */
const hidesMounts = ({does, paths: [path]}: Step, disk: LabDisk): boolean =>
  /mount(?!Refs)/i.test(does) &&
  does !== 'unmount' &&
  does !== 'isMountPoint' &&
  disk.mounts().some((each) => each.path.startsWith(`${at(path)}/`))

async function answerOf({does, paths}: Step, {disk, ...mounts}: MountableDisk): Promise<unknown> {
  const [path, other] = [at(paths[0]), at(paths[1])] as const
  const act = async (): Promise<unknown> => {
    switch (does) {
      case 'writeFile':
        return disk.writeFile(path, other)
      case 'symlink':
      case 'bindMount':
        return disk[does](other, path)
      case 'mountFilesystem':
      case 'mountDevice':
        return mounts[does](path)
      default:
        return disk[does](path)
    }
  }
  try {
    return await act()
  } catch (error) {
    return error instanceof DiskError ? error.code : error
  }
}

/** With the texts of files, and what is mounted. */
async function allBelow(disk: Disk, folder: string): Promise<unknown[]> {
  const all: unknown[] = []
  for (const name of await disk.readDir(folder)) {
    const path = `${folder}/${name}`
    const kind = await disk.stat(path)
    const mounted = kind !== 'symlink' && (await disk.isMountPoint(path))
    all.push([path, kind, mounted, kind === 'file' ? await disk.readFile(path) : ''])
    // A mount may hold what it is mounted in.
    if (kind === 'directory' && path.length < kubeletRoot.length + 20) all.push(...(await allBelow(disk, path)))
  }
  return all
}
