// A real directory as a SideFolder: opened once, so that its path may be of any length and may even come to be another one's.
import {once} from 'node:events'
import {link, open, rename, rm} from 'node:fs/promises'
import {join} from 'node:path'
import type {Clock} from '../../base/clock.ts'
import type {Journal} from '../../node/takeover/journal.ts'
import {longestSocketPath} from '../../wire/socket-address.ts'
import {backlog} from '../listen/backlog.ts'
import {dial} from '../listen/dial.ts'
import {identityOf} from '../listen/socket-file.ts'
import {type Exchange, findExchange, untriedExchange} from './exchange.ts'
import type {ExchangeProgram} from './exchange-programs.ts'
import {takeoverLock} from './lock.ts'
import type {SideFolder} from './side-folder.ts'
import {sideNames} from './side-names.ts'

export interface OpenSideFolderOptions {
  /** Absolute. */
  readonly directory: string
  readonly journal: Pick<Journal, 'id' | 'side' | 'held'>
  readonly clock: Clock
  /** Default: all that are known. */
  readonly programs?: readonly ExchangeProgram[]
}

/** bind(2) and listen(2) of one server are microseconds apart. */
const betweenBindAndListen = 100

/** @throws the system's error when no file can be made there, UserError when somebody else is at this takeover */
export async function openSideFolder({directory, journal, clock, programs}: OpenSideFolderOptions): Promise<SideFolder & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const opened = stack.use(await open(directory, 'r'))
  const here = `/proc/self/fd/${opened.fd}`
  const names = sideNames(journal)
  const at = (name: string) => join(here, name)
  const lock = () => takeoverLock(journal.id, clock)
  const atOnce = await (async () => {
    await using _ = await lock()
    return await findExchange({directory: here, trial: names.trial, ...(programs && {programs})})
  })().catch((error: NodeJS.ErrnoException) => {
    // To swap two names needs no room, to try it does.
    if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return 'no room' as const
    throw error
  })
  const inSteps: Exchange = async (one, other) => {
    await link(at(other), at(names.held))
    await rename(at(one), at(other))
    await rename(at(names.held), at(one))
  }
  const addressOf = (name: string) => {
    const path = join(directory, name)
    return Buffer.byteLength(path) > longestSocketPath ? at(name) : path
  }
  const kept = stack.move()
  return {
    atomic: typeof atOnce === 'function',
    look: (name) => identityOf(at(name)),
    link: (from, to) => link(at(from), at(to)),
    rename: (from, to) => rename(at(from), at(to)),
    exchange: atOnce === 'no room' ? untriedExchange(here, inSteps, programs) : (atOnce ?? inSteps),
    remove: (name) => rm(at(name), {force: true}),
    lives: async (name) => {
      try {
        const socket = await dial({kind: 'unix', path: at(name)})
        socket.destroy()
        return true
      } catch (error) {
        // EAGAIN is a full queue, EACCES a server of somebody else's: who cannot be asked counts as alive.
        return !['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')
      }
    },
    bind: async (name, server) => {
      server.listen({path: at(name), backlog})
      await once(server, 'listening')
    },
    addressOf,
    lock,
    pause: () => clock.sleep(betweenBindAndListen),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
