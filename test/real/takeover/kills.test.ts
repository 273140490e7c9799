// Whatever ends the processes of a takeover, and in whatever order: the socket is given back.
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {ask, expectClean, expectGivenBack, type Injecting, inodeAt, isThere, readJournals, startInjecting} from '../../support/injecting.ts'
import {kubelimbo} from '../../support/kubelimbo.ts'
import {type RestartingServer, startRestartingServer} from '../../support/restarting-server.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'

interface Taken {
  readonly server: RestartingServer
  readonly socket: string
  readonly journals: string
  /** Of the server's socket. */
  readonly inode: string
  readonly inject: Injecting
  readonly watchdog: {readonly pid: number; readonly startTicks: string}
}

async function whileTaken(run: (taken: Taken) => Promise<void>): Promise<void> {
  const folder = tempDir()
  const [socket, journals] = [join(folder, 'driver/csi.sock'), join(folder, 'journals')]
  await mkdir(join(folder, 'driver'))
  await using server = await startRestartingServer(socket)
  const inode = await inodeAt(socket)
  const inject = await startInjecting({socket, journals})
  const {watchdog} = await inject.journal()
  if (watchdog === undefined) throw new Error('the journal names no watchdog')
  expect(await ask(socket)).toBe('DataLoss')
  await run({server, socket, journals, inode, inject, watchdog})
}

/** It is gone for as long as it is away, and nobody waits for it. */
const endedByServer = {kind: 'InjectEnded', why: expect.stringMatching(/^server (restarted|gone)$/)}

const restore = (journals: string) => kubelimbo(['restore', '--journals', journals])

test('SIGKILL of the proxy: its watchdog gives the socket back within seconds, and ends', () =>
  whileTaken(async ({socket, journals, inode, inject, watchdog}) => {
    inject.kill('SIGKILL')
    await expectGivenBack(socket, journals, inode)
    await until(async () => expect(await isThere(watchdog)).toBe(false))
  }))

test('SIGKILL of the watchdog: another one is started, named in the journal, and does its work', () =>
  whileTaken(async ({socket, journals, inode, inject, watchdog}) => {
    process.kill(watchdog.pid, 'SIGKILL')
    const next = await until(async () => {
      const {watchdog: named} = await inject.journal()
      if (named === undefined || named.pid === watchdog.pid || !(await isThere(named))) throw new Error('there is no other watchdog')
      return named
    })
    expect(await ask(socket)).toBe('DataLoss')
    inject.kill('SIGKILL')
    await expectGivenBack(socket, journals, inode)
    await until(async () => expect(await isThere(next)).toBe(false))
  }))

test('SIGTERM of the watchdog: it gives the socket back, and inject ends and says so', () =>
  whileTaken(async ({socket, journals, inode, inject, watchdog}) => {
    process.kill(watchdog.pid, 'SIGTERM')
    await inject.ended
    expect(inject.said.at(-1)).toMatchObject({kind: 'InjectEnded', why: 'given back'})
    await expectGivenBack(socket, journals, inode)
    await until(async () => expect(await isThere(watchdog)).toBe(false))
  }))

/** Neither sees the other's end. */
async function killBoth({inject, watchdog}: Taken): Promise<void> {
  process.kill(watchdog.pid, 'SIGSTOP')
  inject.kill('SIGKILL')
  process.kill(watchdog.pid, 'SIGKILL')
  await inject.ended
  await until(async () => expect(await isThere(watchdog)).toBe(false))
}

test('SIGKILL of both: nobody answers until restore has given the socket back; a second time it has nothing to do', () =>
  whileTaken(async (taken) => {
    const {socket, journals, inode} = taken
    await killBoth(taken)
    expect(await ask(socket)).toBe('Unavailable')
    expect(await restore(journals)).toMatchObject({exitCode: 0})
    await expectGivenBack(socket, journals, inode)
    expect(await restore(journals)).toMatchObject({exitCode: 0})
    await expectGivenBack(socket, journals, inode)
  }))

test('SIGKILL of both and of the server: restore leaves no name of ours beside it, and the server starts as ever', () =>
  whileTaken(async (taken) => {
    const {socket, journals, server} = taken
    await killBoth(taken)
    await server.end('SIGKILL')
    expect(await restore(journals)).toMatchObject({exitCode: 0})
    expect(await readJournals(journals)).toEqual([])
    expect(await ask(socket)).toBe('Unavailable')
    await server.restart('SIGKILL')
    await expectClean(socket, journals)
    expect(await inodeAt(socket)).toBe(await server.inode)
    expect(await ask(socket)).toBe('OK')
  }))

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const)('%s of the proxy: it gives the socket back and ends with %i, and its watchdog ends', (signal, exitCode) =>
  whileTaken(async ({socket, journals, inode, inject, watchdog}) => {
    inject.kill(signal)
    expect(await inject.ended).toMatchObject({exitCode})
    expect(await inodeAt(socket)).toBe(inode)
    await expectGivenBack(socket, journals, inode)
    await until(async () => expect(await isThere(watchdog)).toBe(false))
    expect(inject.said.at(-1)).toMatchObject({kind: 'InjectEnded'})
  }),
)

test('SIGSTOP of the proxy: its watchdog hears nothing and gives the socket back; the proxy ends when it goes on', () =>
  whileTaken(async ({socket, journals, inode, inject}) => {
    inject.kill('SIGSTOP')
    await until(async () => expect(await inodeAt(socket)).toBe(inode), 600)
    expect(await ask(socket)).toBe('OK')
    inject.kill('SIGCONT')
    expect((await inject.ended).exitCode).not.toBe(4)
    await expectGivenBack(socket, journals, inode)
  }))

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  '%s of the server and another start: it is left alone, and inject ends and says so',
  (signal) =>
    whileTaken(async ({socket, journals, inject, server, watchdog}) => {
      await server.restart(signal, 200)
      await inject.ended
      expect(inject.said.at(-1)).toMatchObject(endedByServer)
      await expectClean(socket, journals)
      expect(await inodeAt(socket)).toBe(await server.inode)
      expect(await ask(socket)).toBe('OK')
      await until(async () => expect(await isThere(watchdog)).toBe(false))
    }),
)

test('SIGKILL of the proxy after the server has restarted over it: the watchdog leaves the new socket alone', () =>
  whileTaken(async ({socket, journals, inject, server}) => {
    inject.kill('SIGSTOP')
    await server.restart('SIGTERM')
    inject.kill('SIGKILL')
    await until(() => expectClean(socket, journals), 150)
    expect(await inodeAt(socket)).toBe(await server.inode)
    expect(await ask(socket)).toBe('OK')
  }))

test.each([
  ['refuse', 'Unavailable'],
  ['no-socket', 'Unavailable'],
  ['accept-silent', 'DeadlineExceeded'],
] as const)('SIGKILL of the proxy while %s is in force: its watchdog gives the socket back', async (fault, code) => {
  const folder = tempDir()
  const [socket, journals] = [join(folder, 'driver/csi.sock'), join(folder, 'journals')]
  await mkdir(join(folder, 'driver'))
  await using server = await startRestartingServer(socket)
  const inode = await inodeAt(socket)
  const inject = await startInjecting({socket, journals, args: ['--fault', fault]})
  await until(async () => expect(await ask(socket)).toBe(code))
  inject.kill('SIGKILL')
  await expectGivenBack(socket, journals, inode)
  expect(inode).toBe(await server.inode)
})

test.each(['refuse', 'no-socket', 'accept-silent'] as const)('a server that restarts while %s is in force is left alone', async (fault) => {
  const folder = tempDir()
  const [socket, journals] = [join(folder, 'driver/csi.sock'), join(folder, 'journals')]
  await mkdir(join(folder, 'driver'))
  await using server = await startRestartingServer(socket)
  const inject = await startInjecting({socket, journals, args: ['--fault', fault]})
  await server.restart('SIGTERM', 300)
  await inject.ended
  expect(inject.said.at(-1)).toMatchObject(endedByServer)
  await expectClean(socket, journals)
  expect(await inodeAt(socket)).toBe(await server.inode)
  expect(await ask(socket)).toBe('OK')
})
