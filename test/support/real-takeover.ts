// A takeover of a real socket in a directory of its own, without the checks and the watchdog around it.
import {chmod} from 'node:fs/promises'
import {createServer, type Socket} from 'node:net'
import {basename, join} from 'node:path'
import {onTestFinished} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import type {Journal} from '../../src/node/takeover/journal.ts'
import {identityOf} from '../../src/proxy/listen/socket-file.ts'
import type {ExchangeProgram} from '../../src/proxy/takeover/exchange-programs.ts'
import {heldName, sideName} from '../../src/proxy/takeover/names.ts'
import {openSideFolder} from '../../src/proxy/takeover/open-side-folder.ts'
import {takePlace} from '../../src/proxy/takeover/take-place.ts'
import {journalOf} from './journal.ts'

let count = 0

async function realJournal(socket: string): Promise<Journal> {
  const original = await identityOf(socket)
  if (original === undefined) throw new Error(`nothing is at ${socket}`)
  const id = ((process.pid << 8) + ++count).toString(16).padStart(8, '0').slice(-8)
  return journalOf(socket, {id, side: sideName(id), held: heldName(id), original, proxy: {pid: process.pid, startTicks: '1'}})
}

export async function realTakeover(directory: string, socket: string, programs?: readonly ExchangeProgram[]) {
  const journal = await realJournal(join(directory, basename(socket)))
  const folder = await openSideFolder({directory, journal, clock: systemClock, ...(programs && {programs})})
  onTestFinished(() => folder[Symbol.asyncDispose]())
  const written: Journal[] = []
  const accepted: Socket[] = []
  const take = (full?: Error) =>
    takePlace({
      journal,
      directory,
      folder,
      serverFor: () => createServer((client) => void accepted.push(client.on('error', () => undefined).end('ours'))),
      dress: (path) => chmod(path, 0o660),
      write: async (next) => {
        if (full !== undefined) throw full
        written.push(next)
      },
    })
  return {journal, folder, written, accepted, take}
}
