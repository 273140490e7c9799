// What a stranger owns is not taken over: only root can give files away.
import {chmodSync, chownSync, mkdirSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {type MayTakeOverRequest, mayTakeOver} from '../../../src/proxy/takeover/may-take-over.ts'
import {type HostTree, hostTree} from '../../support/host-tree.ts'
import {serving} from '../../support/raw-sockets.ts'
import {tempDir} from '../../support/socket-dir.ts'

const uid = 0
const stranger = 12_345

/** A socket in a directory of its own, somebody listens on it. */
async function served(path = 'a/csi.sock') {
  const top = tempDir()
  const socket = join(top, path)
  mkdirSync(dirname(socket), {recursive: true, mode: 0o755})
  await serving(socket)
  return {top, socket}
}

async function ask(socket: string, parts: Partial<MayTakeOverRequest> = {}, tree: HostTree = {}) {
  const {host} = await hostTree(tree)
  return await mayTakeOver({socket, journals: join(tempDir(), 'none'), uid, force: false, host, ...parts})
}

/** '5 why | hint' */
async function refused(...args: Parameters<typeof ask>): Promise<string> {
  const error = await ask(...args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof UserError)) throw error ?? new Error('it was not refused')
  return `${error.exit} ${error.message.replace(/^Cannot take \S+ over as /, '')} | ${error.hint}`
}

test('mayTakeOver() refuses what a stranger owns: the socket, its directory, one above; and a group that writes', async () => {
  const {top, socket} = await served()
  const directory = dirname(socket)
  chmodSync(directory, 0o775)
  expect(await ask(socket)).toMatchObject({socket})
  chownSync(directory, 0, stranger)
  expect(await refused(socket)).toContain(
    `5 nobody else must be able to write in its directory: group ${stranger} can in ${directory} (mode 0775)`,
  )
  chmodSync(directory, 0o755)
  chownSync(socket, stranger, stranger)
  expect(await refused(socket)).toContain(`5 it must be root's or yours: it is one of user ${stranger}`)
  chownSync(socket, 0, stranger)
  expect(await ask(socket)).toMatchObject({socket})
  chownSync(directory, stranger, 0)
  expect(await refused(socket)).toContain(`5 its directory must be root's or yours: ${directory} is one of user ${stranger}`)
  chownSync(directory, 0, 0)
  chownSync(top, stranger, 0)
  expect(await refused(socket)).toContain(`5 each directory above it must be root's or yours: ${top} is one of user ${stranger}`)
  expect(await ask(socket, {uid: stranger})).toMatchObject({socket})
})
