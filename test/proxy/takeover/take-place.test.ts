import {lstatSync, mkdirSync, readdirSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import type {ExchangeProgram} from '../../../src/proxy/takeover/exchange-programs.ts'
import {giveBack} from '../../../src/proxy/takeover/give-back.ts'
import type {TakenPlace} from '../../../src/proxy/takeover/take-place.ts'
import {codeOfConnecting, deadSocket, serving} from '../../support/raw-sockets.ts'
import {realTakeover} from '../../support/real-takeover.ts'
import {tempDir} from '../../support/socket-dir.ts'

async function served(programs?: readonly ExchangeProgram[]) {
  const directory = tempDir()
  const path = join(directory, 'csi.sock')
  const server = await serving(path)
  const inode = lstatSync(path).ino
  const takeover = await realTakeover(directory, path, programs)
  const ino = () => lstatSync(path, {throwIfNoEntry: false})?.ino
  /** As a server restarts: over whatever is there. */
  const restart = async () => {
    rmSync(path, {force: true})
    await serving(path, (socket) => socket.end('anew'))
  }
  return {
    directory,
    path,
    server,
    inode,
    ino,
    restart,
    ...takeover,
    code: () => codeOfConnecting(path),
    names: () => readdirSync(directory).sort(),
  }
}

const ended = (place: TakenPlace) => onTestFinished(() => place.close('no-socket'))

test.each([
  ['at once', undefined],
  ['in steps', []],
] as const)('takePlace() with a swap %s puts a socket of ours there, and giveBack() the original', async (_, programs) => {
  const {inode, ino, code, names, take, journal, written, folder, path} = await served(programs)
  expect(folder.atomic).toBe(programs === undefined)
  const place = await take()
  expect(await code()).toBe('ours')
  expect(lstatSync(path).mode & 0o777).toBe(0o660)
  expect(await codeOfConnecting(place.upstream)).toBe('served')
  expect(names()).toEqual([journal.side, 'csi.sock'])
  expect(written.at(-1)?.ours).toHaveLength(1)
  expect(await place.isOurs()).toBe(true)
  expect(await place.giveBack()).toEqual({outcome: 'given back'})
  expect(await code()).toBe('served')
  expect(await place.giveBack()).toEqual({outcome: 'was back'})
  await place.close('no-socket')
  expect([ino(), names()]).toEqual([inode, ['csi.sock']])
  expect(await code()).toBe('served')
})

test('takePlace() lets a listener that closes late remove nothing of anybody', async () => {
  const {inode, ino, names, take, folder, path} = await served()
  const place = await take()
  // By somebody else: our listener knows nothing of it.
  expect(await giveBack(place.journal, folder)).toEqual({outcome: 'given back'})
  await place.close('no-socket')
  expect([ino(), names()]).toEqual([inode, ['csi.sock']])
  expect(await codeOfConnecting(path)).toBe('served')
})

test('takePlace() keeps accepting after giveBack() until it is closed', async () => {
  const {path, take, accepted, code} = await served()
  const place = await take()
  const early = codeOfConnecting(path)
  await place.giveBack()
  expect(await early).toBe('ours')
  expect(accepted).toHaveLength(1)
  expect(await code()).toBe('served')
  await place.close('no-socket')
})

test('takePlace() works in a directory whose path is longer than an address may be', async () => {
  const long = join(tempDir(), 'd'.repeat(120))
  mkdirSync(long)
  const short = join(tempDir(), 'csi.sock')
  await serving(short)
  const socket = join(long, 'csi.sock')
  renameSync(short, socket)
  const {take, folder} = await realTakeover(long, socket)
  const place = await take()
  expect(await codeOfConnecting(folder.addressOf('csi.sock'))).toBe('ours')
  expect(await codeOfConnecting(place.upstream)).toBe('served')
  expect(await place.giveBack()).toEqual({outcome: 'given back'})
  await place.close('no-socket')
  expect(await codeOfConnecting(folder.addressOf('csi.sock'))).toBe('served')
})

test('takePlace() stands down for a server that has restarted since the journal was written', async () => {
  const {restart, take, code, names} = await served()
  await restart()
  await expect(take()).rejects.toMatchObject({
    message: expect.stringContaining('the server restarted just now'),
    hint: 'try again',
    exit: 5,
  })
  expect(await code()).toBe('anew')
  expect(names()).toEqual(['csi.sock'])
})

test('takePlace() leaves nothing when the path is empty', async () => {
  const {path, take, names} = await served()
  renameSync(path, `${path}.hidden`)
  await expect(take()).rejects.toMatchObject({exit: 5})
  expect(names()).toEqual(['csi.sock.hidden'])
})

test('takePlace() leaves everything as it was when the journal cannot be written', async () => {
  const {inode, ino, code, take, names} = await served()
  await expect(take(Object.assign(new Error('ENOSPC: no space left on device'), {code: 'ENOSPC'}))).rejects.toMatchObject({
    message: expect.stringContaining('as a socket must be made beside it: ENOSPC'),
    exit: 5,
  })
  expect([ino(), names()]).toEqual([inode, ['csi.sock']])
  expect(await code()).toBe('served')
})

test('takePlace() replaces a dead leftover of a takeover whose journal is lost, and no live one', async () => {
  const {directory, journal, take, names} = await served()
  await deadSocket(join(directory, journal.side))
  ended(await take())
  const other = await served()
  await serving(join(other.directory, other.journal.side))
  await expect(other.take()).rejects.toMatchObject({exit: 5})
  expect(names()).toContain(journal.side)
})

test("TakenPlace's close() and open() show what a fault of the socket shows, as often as they like", async () => {
  const {inode, ino, code, take, names, journal, written} = await served()
  const place = await take()
  for (let round = 0; round < 3; round++) {
    await place.close('refuse')
    expect(await code()).toBe('ECONNREFUSED')
    expect(await place.isOurs()).toBe(true)
    await place.open()
    expect(await code()).toBe('ours')
    await place.close('no-socket')
    expect(await code()).toBe('ENOENT')
    expect(await place.isOurs()).toBe(true)
    await place.close('refuse')
    expect(await code()).toBe('ECONNREFUSED')
    await place.close('no-socket')
    await place.open()
    expect(await code()).toBe('ours')
    expect(names()).toEqual([journal.side, 'csi.sock'])
  }
  expect(written.at(-1)?.ours).toHaveLength(8)
  await place.close('no-socket')
  expect(await place.giveBack()).toEqual({outcome: 'given back'})
  expect([ino(), names()]).toEqual([inode, ['csi.sock']])
})

test.each(['refuse', 'no-socket'] as const)(
  "TakenPlace's open() after close(%j) leaves a server alone that has restarted",
  async (absence) => {
    const {take, restart, code, names, ino} = await served()
    const place = await take()
    await place.close(absence)
    await restart()
    const anew = ino()
    expect(await place.isOurs()).toBe(false)
    await expect(place.open()).rejects.toMatchObject({exit: 5})
    expect(await place.giveBack()).toEqual({outcome: 'left alone', alive: true})
    await place.close('no-socket')
    expect([ino(), names()]).toEqual([anew, ['csi.sock']])
    expect(await code()).toBe('anew')
  },
)
