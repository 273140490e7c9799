// The journal's file: on the disk before anything is changed, and anew before anything else is. A takeover of a socket has the socket's own name for it, so that there is one.
import {createHash} from 'node:crypto'
import {link, open, readdir, rename, rm} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {holderOf, readProcessId} from '../../node/takeover/holder.ts'
import type {Journal} from '../../node/takeover/journal.ts'
import {type JournalText, readJournalFile} from '../../node/takeover/parse-journal.ts'
import {journalProblem} from './journal-problem.ts'
import {heldName, sideName} from './names.ts'

export type FoundJournal = JournalText & {
  /** Absolute. */
  readonly path: string
}

/** Of the resolved path: a takeover of the same socket meets the same journal. */
export const journalId = (socket: string): string => createHash('sha256').update(socket).digest('hex').slice(0, 8)

const pathOf = (folder: string, id: string): string => join(folder, `${id}.json`)

/**
 * Whether a journal for it can be made: it says who has the socket.
 * @throws UserError when somebody has it, or had it and is gone
 */
export function mustBeFree(socket: string, folder: string, proc?: string): void {
  const path = pathOf(folder, journalId(socket))
  const found = readJournalFile(path)
  if ('journal' in found || found.unreadable !== 'ENOENT') throw taken(socket, {path, ...found}, proc)
}

/**
 * All of it is on the disk when this resolves, or nothing is.
 * @returns its path
 * @throws UserError when somebody has the socket, or it cannot be written
 */
export async function createJournal(folder: string, journal: Journal, proc?: string): Promise<string> {
  const path = pathOf(folder, journal.id)
  const temporary = temporaryOf(path, journal.proxy.pid)
  try {
    await writeSynced(temporary, journal)
    // Unlike rename(2) it never replaces what is there.
    await link(temporary, path)
    await rm(temporary)
    await syncFolder(folder)
    return path
  } catch (error) {
    await rm(temporary, {force: true}).catch(() => undefined)
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(journal.socket, {path, ...readJournalFile(path)}, proc)
    throw journalProblem(journal.socket, folder, error)
  }
}

/** The old one stays until the new one is on the disk. @throws UserError */
export async function rewriteJournal(path: string, journal: Journal): Promise<void> {
  const temporary = temporaryOf(path, journal.proxy.pid)
  try {
    await writeSynced(temporary, journal)
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(temporary, {force: true}).catch(() => undefined)
    throw journalProblem(journal.socket, dirname(path), error)
  }
}

/** Whoever is second finds it gone. @throws the system's error */
export async function removeJournal(path: string): Promise<void> {
  await rm(path, {force: true})
  await syncFolder(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

/** In the order of their names. @throws the system's error; no folder is none, too */
export async function readJournals(folder: string, readOne = readJournalFile): Promise<readonly FoundJournal[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  return names.flatMap((name): readonly FoundJournal[] => {
    const path = join(folder, name)
    const found = readOne(path)
    // A watchdog was faster.
    if ('unreadable' in found && found.unreadable === 'ENOENT') return []
    const wrong = 'journal' in found ? whyNotOurs(found.journal, name) : undefined
    return [wrong === undefined ? {path, ...found} : {path, unreadable: wrong}]
  })
}

/** All names follow from the socket: another one could be a file of somebody else's, and what a takeover leaves is removed. */
function whyNotOurs({id, socket, side, held}: Journal, name: string): string | undefined {
  if (name !== `${id}.json`) return "its 'id' is not that of its name"
  if (id !== journalId(socket)) return "its 'id' is not that of its socket"
  return side === sideName(id) && held === heldName(id) ? undefined : "its 'side' and 'held' are not those of its id"
}

/** Halves of journals that a process left that was killed in between. @throws the system's error */
export async function sweepTemporaries(folder: string, isThere = (pid: number) => readProcessId(pid) !== undefined): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = /^\.[0-9a-f]{8}\.(\d{1,10})\.tmp$/.exec(name) ?? []
    if (pid !== undefined && !isThere(Number(pid))) await rm(join(folder, name), {force: true})
  }
}

const temporaryOf = (path: string, pid: number): string => join(dirname(path), `.${basename(path, '.json')}.${pid}.tmp`)

/** Far more than can be meant: what is older was removed when the next was bound. */
const mostOurs = 256

async function writeSynced(path: string, journal: Journal): Promise<void> {
  // Of another process that had this one's id.
  await rm(path, {force: true})
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify({...journal, ours: journal.ours.slice(-mostOurs)}, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A name is on the disk when its directory is. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

const restoreHint = 'kubelimbo restore gives it back'

function taken(socket: string, found: FoundJournal, proc?: string): UserError {
  if ('unreadable' in found && found.unreadable === 'ENOENT') return had(socket, 'it is given back at this moment', 'try again')
  if ('unreadable' in found)
    return new UserError(
      `Cannot take ${socket} over as its journal must not be there yet: ${found.path} cannot be read: ${found.unreadable}`,
      {
        hint: restoreHint,
        exit: exitCodes.refused,
      },
    )
  const {journal} = found
  const holder = holderOf(journal, proc)
  const who = `process ${journal.proxy.pid}`
  const until = `until ${journal.expiresAt}`
  if (holder === undefined)
    return had(socket, `${who} of another pid namespace has it ${until}, or is gone`, `end that one where it runs; ${restoreHint}, too`)
  const {proxy, watchdog, otherBoot} = holder
  if (proxy === 'there') return had(socket, `${who} has it ${until}`, `end that one first: kill -INT ${journal.proxy.pid}`)
  if (watchdog === 'there') return had(socket, `the watchdog of ${who} has it ${until}`, 'it gives the socket back in a moment: try again')
  const gone = otherBoot ? `${who} had it before the node started anew` : `${who} had it, which is gone`
  return had(socket, `${gone}, and it was not given back`, restoreHint)
}

const had = (socket: string, who: string, hint: string): UserError =>
  new UserError(`Cannot take ${socket} over as nobody else must have it: ${who}`, {hint, exit: exitCodes.refused})
