// On a real directory, with a watchdog that is none.
import {existsSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import type {Place} from '../../../src/proxy/listen/place.ts'
import {pinSocket} from '../../../src/proxy/takeover/pinned-socket.ts'
import {readDress} from '../../../src/proxy/takeover/socket-attributes.ts'
import {type TakeOverOptions, takeOver, type Watchdog} from '../../../src/proxy/takeover/take-over.ts'
import {codeOfConnecting, serving} from '../../support/raw-sockets.ts'
import {tempDir} from '../../support/socket-dir.ts'

async function setting(more: Partial<TakeOverOptions> = {}) {
  const top = tempDir()
  const socket = join(top, 's.sock')
  const server = await serving(socket)
  const pinned = await pinSocket(socket)
  onTestFinished(() => pinned[Symbol.asyncDispose]())
  const journals = tempDir()
  const told: string[] = []
  const gone = Promise.withResolvers<string>()
  const startWatchdog = async ({journalPath}: {readonly journalPath: string}): Promise<Watchdog> => {
    told.push(`watches ${existsSync(journalPath) ? 'a journal' : 'nothing'}`)
    return {
      pid: process.pid,
      gone: gone.promise,
      [Symbol.asyncDispose]: async () => void told.push(`ends, ${existsSync(journalPath) ? 'with' : 'without'} a journal`),
    }
  }
  const usual = {
    socket,
    original: pinned.id,
    dress: await readDress(socket),
    forMs: 60_000,
    tool: 'kubelimbo 0.1.0',
    command: 'record' as const,
    journals,
    pid: process.pid,
  }
  const options: TakeOverOptions = {...usual, clock: systemClock, startWatchdog, onTrouble: (text) => told.push(text), ...more}
  let place: Place | undefined
  onTestFinished(() => place?.[Symbol.asyncDispose]())
  return {
    top,
    socket,
    server,
    pinned,
    journals,
    told,
    gone,
    options,
    serverFor: () => createServer((client) => client.on('error', () => undefined).end('ours')),
    inode: statSync(socket).ino,
    left: () => [readdirSync(top), readdirSync(journals)],
    keep: (mine: Place) => {
      place = mine
    },
  }
}

test('takeOver() writes its journal and has a watchdog before it touches the socket, and leaves nothing at the end', async () => {
  const it = await setting()
  const takeover = await takeOver(it.options)
  expect(it.told).toEqual(['watches a journal'])
  expect(JSON.parse(readFileSync(takeover.journalPath, 'utf8'))).toMatchObject({
    ours: [],
    watchdog: {pid: process.pid},
    original: it.pinned.id,
  })
  expect(await codeOfConnecting(it.socket)).toBe('served')
  it.keep(await takeover.placeFor(it.serverFor))
  expect(await codeOfConnecting(it.socket)).toBe('ours')
  expect(await codeOfConnecting(it.pinned.path)).toBe('served')
  expect(JSON.parse(readFileSync(takeover.journalPath, 'utf8'))).toMatchObject({ours: [{}], watchdog: {pid: process.pid}})
  expect(await takeover.giveBack()).toEqual({outcome: 'given back'})
  expect(await codeOfConnecting(it.socket)).toBe('served')
  expect(await takeover.giveBack()).toEqual({outcome: 'given back'})
  await takeover[Symbol.asyncDispose]()
  expect(it.told).toEqual(['watches a journal', 'ends, without a journal'])
  expect([statSync(it.socket).ino, ...it.left()]).toEqual([it.inode, ['s.sock'], []])
})

test('takeOver() without a watchdog takes nothing over, and leaves no journal', async () => {
  const it = await setting({startWatchdog: async () => Promise.reject(new Error('no processes'))})
  await expect(takeOver(it.options)).rejects.toThrow('no processes')
  expect([statSync(it.socket).ino, ...it.left()]).toEqual([it.inode, ['s.sock'], []])
})

test('takeOver() of a socket whose server has restarted since takes nothing over', async () => {
  const it = await setting()
  const takeover = await takeOver(it.options)
  it.server.close()
  await serving(it.socket, (client) => client.end('restarted'))
  await expect(takeover.placeFor(it.serverFor)).rejects.toThrow('the server restarted just now')
  await takeover[Symbol.asyncDispose]()
  expect(await codeOfConnecting(it.socket)).toBe('restarted')
  expect(it.left()).toEqual([['s.sock'], []])
})

test.each([
  ['server restarted', async (socket: string) => void (await serving(`${socket}`, (client) => client.end('restarted')))],
  ['socket removed', async () => undefined],
])('takeOver() tells that its place is lost: %s', async (why, then) => {
  const it = await setting()
  await using takeover = await takeOver(it.options)
  it.keep(await takeover.placeFor(it.serverFor))
  rmSync(it.socket)
  await then(it.socket)
  expect(await takeover.lost).toBe(why)
  expect(it.left()).toEqual([['s.sock'], []])
  expect(await codeOfConnecting(it.socket)).toBe(why === 'socket removed' ? 'served' : 'restarted')
})

test('takeOver() gives back when nobody watches any more', async () => {
  const it = await setting()
  let starts = 0
  const {startWatchdog} = it.options
  await using takeover = await takeOver({
    ...it.options,
    startWatchdog: async (options) => {
      if (++starts > 1) throw new Error('no more processes')
      return await startWatchdog(options)
    },
  })
  it.keep(await takeover.placeFor(it.serverFor))
  it.gone.resolve('SIGKILL')
  expect(await takeover.lost).toBe('watchdog lost')
  expect(it.told.at(-1)).toBe('the socket is given back as its watchdog is gone (SIGKILL), and there is no other: no more processes')
  expect(await takeover.giveBack()).toEqual({outcome: 'given back'})
})

test('takeOver() writes its journal anew when somebody removes it', async () => {
  const it = await setting()
  await using takeover = await takeOver(it.options)
  it.keep(await takeover.placeFor(it.serverFor))
  const before = readFileSync(takeover.journalPath, 'utf8')
  rmSync(takeover.journalPath)
  await expect.poll(() => it.told.join()).toContain('it is written anew')
  expect(readFileSync(takeover.journalPath, 'utf8')).toBe(before)
  await takeover.giveBack()
  await systemClock.sleep(700)
  expect(it.left()).toEqual([['s.sock'], []])
})

test('takeOver() is over when its journal cannot be written anew', async () => {
  const it = await setting()
  await using takeover = await takeOver(it.options)
  it.keep(await takeover.placeFor(it.serverFor))
  rmSync(it.journals, {recursive: true})
  expect(await takeover.lost).toBe('journal lost')
  expect(it.told.at(-1)).toMatch(/^the socket is given back as somebody has removed the journal .* and it cannot be written anew: /)
  await takeover.giveBack()
  expect(await codeOfConnecting(it.socket)).toBe('served')
})

test('takeOver() has room for as many who wait as a server in Go has', async () => {
  const it = await setting()
  await using takeover = await takeOver(it.options)
  it.keep(await takeover.placeFor(it.serverFor))
  const codes = await Promise.all(Array.from({length: 700}, () => codeOfConnecting(it.socket, 10_000)))
  expect(new Set(codes)).toEqual(new Set(['ours']))
})
