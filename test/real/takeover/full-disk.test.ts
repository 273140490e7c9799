// No place for the journal: without one nothing is taken over, and what was begun is undone.
import {mkdir, readdir, stat, writeFile} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {execa} from 'execa'
import {expect, onTestFinished, test} from 'vitest'
import {ask, expectGivenBack, inodeAt, isThere, startInjecting, telling} from '../../support/injecting.ts'
import {kubelimbo} from '../../support/kubelimbo.ts'
import {startRestartingServer} from '../../support/restarting-server.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'

const page = 4096

/** A disk with so many pages; a file takes at least one. */
async function tinyDisk(folder: string, pages: number): Promise<string> {
  const disk = join(folder, 'disk')
  await mkdir(disk)
  await execa('mount', ['-t', 'tmpfs', '-o', `size=${pages * page},mode=0700`, 'tiny', disk])
  onTestFinished(async () => void (await execa('umount', [disk])))
  return disk
}

async function driverIn(folder: string) {
  const socket = join(folder, 'driver/csi.sock')
  await mkdir(dirname(socket))
  const server = await startRestartingServer(socket)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return {socket, inode: await inodeAt(socket)}
}

test.each([
  {what: 'is full', pages: 1, filled: 1},
  {what: 'becomes full when the journal is written anew', pages: 1, filled: 0},
])('inject --socket with a disk under its journals that $what: exit code 5 and nothing changed', async ({pages, filled}) => {
  const folder = tempDir()
  const {socket, inode} = await driverIn(folder)
  const disk = await tinyDisk(folder, pages)
  for (let at = 0; at < filled; at++) await writeFile(join(disk, `filled-${at}`), 'x')
  const left = await readdir(disk)
  const before = await stat(socket)
  const journals = join(disk, 'journals')
  const begun = performance.now()
  const ran = await kubelimbo(['inject', '--socket', `unix://${socket}`, '--journals', journals, ...telling, '--for', '2m'])
  expect(performance.now() - begun).toBeLessThan(60_000)
  expect(ran).toMatchObject({exitCode: 5, stdout: '', stderr: expect.stringMatching(/no space|disk.*full|ENOSPC/i)})
  expect(await inodeAt(socket)).toBe(inode)
  const {mode, uid, gid} = await stat(socket)
  expect({mode, uid, gid}).toEqual({mode: before.mode, uid: before.uid, gid: before.gid})
  expect(await readdir(dirname(socket))).toEqual([basename(socket)])
  expect((await readdir(disk)).filter((name) => name !== 'journals')).toEqual(left)
  expect(await readdir(journals).catch(() => [])).toEqual([])
  expect(await ask(socket)).toBe('OK')
})

test('a disk that becomes full while a socket is taken over: without its watchdog inject heals or finds another, and gives back', async () => {
  const folder = tempDir()
  const {socket, inode} = await driverIn(folder)
  const disk = await tinyDisk(folder, 2)
  const journals = join(disk, 'journals')
  const inject = await startInjecting({socket, journals})
  const {watchdog} = await inject.journal()
  await writeFile(join(disk, 'filled'), 'x')
  process.kill(watchdog?.pid ?? 0, 'SIGKILL')
  // The journal cannot name another one: either it goes without its name, or the socket is given back.
  const outcome = await until(async () => {
    if ((await inodeAt(socket)) === inode) return 'given back'
    const {watchdog: named} = await inject.journal()
    if (named === undefined || named.pid === watchdog?.pid || !(await isThere(named))) throw new Error('nobody watches')
    return 'watched'
  })
  expect(outcome).toBe('given back')
  await inject.ended
  await expectGivenBack(socket, journals, inode)
})

test('a disk that becomes full while a socket is taken over: Ctrl-C gives it back all the same', async () => {
  const folder = tempDir()
  const {socket, inode} = await driverIn(folder)
  const disk = await tinyDisk(folder, 2)
  const journals = join(disk, 'journals')
  const inject = await startInjecting({socket, journals})
  await writeFile(join(disk, 'filled'), 'x')
  inject.kill('SIGINT')
  expect(await inject.ended).toMatchObject({exitCode: 130})
  await expectGivenBack(socket, journals, inode)
})
