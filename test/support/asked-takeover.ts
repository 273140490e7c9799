// Whether a socket may be taken over, asked as the tests ask.
import {mkdirSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {UserError} from '../../src/base/errors.ts'
import {myUid} from '../../src/cli/account.ts'
import {type MayTakeOverRequest, mayTakeOver} from '../../src/proxy/takeover/may-take-over.ts'
import {type HostTree, hostTree} from './host-tree.ts'
import {serving} from './raw-sockets.ts'
import {tempDir} from './socket-dir.ts'

/** A socket in a directory of its own, somebody listens on it. */
export async function served(path = 'a/csi.sock') {
  const top = tempDir()
  const socket = join(top, path)
  mkdirSync(dirname(socket), {recursive: true, mode: 0o755})
  await serving(socket)
  return {top, socket}
}

export async function ask(socket: string, parts: Partial<MayTakeOverRequest> = {}, tree: HostTree = {}) {
  const {host} = await hostTree(tree)
  return await mayTakeOver({socket, journals: join(tempDir(), 'none'), uid: myUid(), force: false, host, ...parts})
}

/** '5 why | hint' */
export async function refused(...args: Parameters<typeof ask>): Promise<string> {
  const error = await ask(...args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof UserError)) throw error ?? new Error('it was not refused')
  return `${error.exit} ${error.message.replace(/^Cannot take \S+ over as /, '')} | ${error.hint}`
}
