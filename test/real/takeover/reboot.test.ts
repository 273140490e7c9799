// A node that starts anew with a takeover in force: its processes are gone, and what lies on a disk stays, sockets too.
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import type {Journal} from '../../../src/node/takeover/journal.ts'
import {ask, expectClean, inodeAt, isThere, readJournals, startInjecting} from '../../support/injecting.ts'
import {kubelimbo} from '../../support/kubelimbo.ts'
import {type RestartingServer, startRestartingServer} from '../../support/restarting-server.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'

const otherBoot = '01234567-89ab-cdef-0123-456789abcdef'

interface Rebooted {
  readonly server: RestartingServer
  readonly socket: string
  readonly journals: string
}

/** Nobody lives any more, and the journal is of another boot. @param change of the journal */
async function rebooted(change: (journal: Journal) => Journal = (journal) => journal): Promise<Rebooted & AsyncDisposable> {
  const folder = tempDir()
  const socket = join(folder, 'driver/csi.sock')
  const journals = join(folder, 'journals')
  await mkdir(dirname(socket))
  const server = await startRestartingServer(socket)
  const inject = await startInjecting({socket, journals})
  const {watchdog} = await inject.journal()
  if (watchdog === undefined) throw new Error('the journal names no watchdog')
  process.kill(watchdog.pid, 'SIGSTOP')
  inject.kill('SIGKILL')
  process.kill(watchdog.pid, 'SIGKILL')
  await inject.ended
  await until(async () => expect(await isThere(watchdog)).toBe(false))
  await server.end('SIGKILL')
  const [name = ''] = await readdir(journals)
  const path = join(journals, name)
  const journal: Journal = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify(change({...journal, bootId: otherBoot})))
  return {server, socket, journals, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()}
}

const restore = (journals: string) => kubelimbo(['restore', '--journals', journals])

const elsewhere = ({original, ours, ...journal}: Journal): Journal => ({
  ...journal,
  original: {...original, device: '999'},
  ours: ours.map((each) => ({...each, device: '999'})),
})

test.each([
  {what: 'the devices have their numbers', change: undefined},
  {what: 'the devices have other numbers', change: elsewhere},
])('restore after a reboot, where $what, leaves no name of ours beside it, and the server starts as ever', async ({change}) => {
  await using node = await rebooted(change)
  const {server, socket, journals} = node
  expect(await restore(journals)).toMatchObject({exitCode: 0})
  expect(await readJournals(journals)).toEqual([])
  expect((await readdir(dirname(socket))).filter((name) => name.startsWith('.'))).toEqual([])
  expect(await restore(journals)).toMatchObject({exitCode: 0})
  await server.restart('SIGKILL')
  await expectClean(socket, journals)
  expect(await ask(socket)).toBe('OK')
})

test.each([
  {what: 'the devices have their numbers', change: undefined},
  {what: 'the devices have other numbers', change: elsewhere},
])('restore after a reboot, where $what and the server has started already, leaves its socket alone', async ({change}) => {
  await using node = await rebooted(change)
  const {server, socket, journals} = node
  await server.restart('SIGKILL')
  const inode = await server.inode
  expect(await inodeAt(socket)).toBe(inode)
  expect(await restore(journals)).toMatchObject({exitCode: 0})
  expect(await inodeAt(socket)).toBe(inode)
  await expectClean(socket, journals)
  expect(await ask(socket)).toBe('OK')
})

test('restore after a reboot with a tmpfs under the socket: nothing of it is there any more, and the journal goes', async () => {
  await using node = await rebooted()
  const {socket, journals} = node
  const {rm} = await import('node:fs/promises')
  await rm(dirname(socket), {recursive: true})
  expect(await restore(journals)).toMatchObject({exitCode: 0})
  expect(await readJournals(journals)).toEqual([])
})

test('inject after a reboot says what is to be done first, with exit code 5, and goes on after restore', async () => {
  await using node = await rebooted()
  const {server, socket, journals} = node
  await server.restart('SIGKILL')
  const ran = await kubelimbo([
    'inject',
    '--socket',
    `unix://${socket}`,
    '--journals',
    journals,
    '--fault',
    'fail',
    '--code',
    'INTERNAL',
    '--for',
    '1s',
  ])
  expect(ran).toMatchObject({exitCode: 5, stderr: expect.stringContaining('kubelimbo restore')})
  expect(await restore(journals)).toMatchObject({exitCode: 0})
  await startInjecting({socket, journals})
  expect(await ask(socket)).toBe('DataLoss')
})
