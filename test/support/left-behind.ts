// A socket as a proxy and its watchdog leave it that were killed: the original under its dot name, a dead one of ours at the path.
import {renameSync} from 'node:fs'
import {join} from 'node:path'
import type {FileId, Journal} from '../../src/node/takeover/journal.ts'
import {identityOf} from '../../src/proxy/listen/socket-file.ts'
import {createJournal} from '../../src/proxy/takeover/journal-file.ts'
import {journalOf} from './journal.ts'
import {deadSocket, serving} from './raw-sockets.ts'
import {tempDir} from './socket-dir.ts'

export async function leftBehind(journals: string, parts: Partial<Journal> = {}) {
  const folder = tempDir()
  const socket = join(folder, 'csi.sock')
  const {side} = journalOf(socket)
  await serving(join(folder, 'server.sock'))
  renameSync(join(folder, 'server.sock'), join(folder, side))
  await deadSocket(socket)
  const [original, ours] = [await there(join(folder, side)), await there(socket)]
  const path = await createJournal(journals, journalOf(socket, {original, ours: [ours], ...parts}))
  return {folder, socket, side, original, path}
}

async function there(path: string): Promise<FileId> {
  const file = await identityOf(path)
  if (file === undefined) throw new Error(`${path} is not there`)
  return file
}
