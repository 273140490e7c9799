// Gives back what one journal tells of, and removes it when nothing of that takeover is left.
import {realpath} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import type {Clock} from '../../../base/clock.ts'
import {firstLine, UserError} from '../../../base/errors.ts'
import {shellWord} from '../../../findings/shell-word.ts'
import {holderOf} from '../../../node/takeover/holder.ts'
import type {Journal} from '../../../node/takeover/journal.ts'
import {readJournalFile} from '../../../node/takeover/parse-journal.ts'
import {type GivenBack, giveBack} from '../give-back.ts'
import {type FoundJournal, removeJournal} from '../journal-file.ts'
import {sideName} from '../names.ts'
import {openSideFolder} from '../open-side-folder.ts'
import type {Restored} from './restored.ts'

export interface RestoreOneOptions {
  readonly clock: Clock
  readonly dryRun: boolean
  /** Where /proc is mounted. */
  readonly proc?: string
}

/** Never throws. */
export async function restoreOne(found: FoundJournal, options: RestoreOneOptions): Promise<Restored> {
  const {path} = found
  if ('unreadable' in found) return unreadable(path, found.unreadable)
  const {journal} = found
  const of = {journal: path, socket: journal.socket, ...heldBy(journal, options.proc)}
  if (options.dryRun) return {...of, outcome: 'to be given back'}
  let given: GivenBack
  try {
    given = await inItsDirectory(path, journal, options.clock)
  } catch (error) {
    return {...of, outcome: 'failed', why: firstLine(error), byHand: byHandOf(journal, error)}
  }
  try {
    await removeUnlessNew(path, journal)
    return {...of, ...given}
  } catch (error) {
    const why = `nothing of the takeover is left but its journal, which cannot be removed: ${firstLine(error)}`
    return {...of, outcome: 'failed', why, byHand: `rm ${shellWord(path)}`}
  }
}

/** Who cannot be looked for is not said to be gone. */
function heldBy(journal: Journal, proc: string | undefined): Pick<Restored, 'holder'> {
  try {
    const holder = holderOf(journal, proc)
    return holder === undefined ? {} : {holder: {...holder, pid: journal.proxy.pid}}
  } catch {
    return {}
  }
}

async function inItsDirectory(path: string, journal: Journal, clock: Clock): Promise<GivenBack> {
  const directory = dirname(journal.socket)
  const real = await realpath(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  // With its directory all is gone that was in it.
  if (real === undefined) return {outcome: 'server gone'}
  if (real !== directory) throw new Error(`${directory} has become a link to ${real}`)
  await using folder = await openSideFolder({directory, journal, clock})
  return await giveBack(journal, folder, async () => {
    const now = readJournalFile(path)
    return 'journal' in now ? now.journal : undefined
  })
}

/** When the next takeover of it has begun meanwhile, the journal is that one's. */
async function removeUnlessNew(path: string, {proxy, startedAt}: Journal): Promise<void> {
  const now = readJournalFile(path)
  if ('journal' in now) {
    const {journal} = now
    if (journal.proxy.pid !== proxy.pid || journal.proxy.startTicks !== proxy.startTicks || journal.startedAt !== startedAt) return
  }
  await removeJournal(path)
}

function byHandOf({socket, side}: Journal, error: unknown): string {
  const original = join(dirname(socket), side)
  if (error instanceof UserError && error.hint !== undefined) return error.hint
  return `see to it that ${dirname(socket)} can be changed, and run kubelimbo restore again; or, if ${original} is there: mv -T ${shellWord(original)} ${shellWord(socket)}`
}

function unreadable(path: string, why: string): Restored {
  const [, id] = /([0-9a-f]{8})\.json$/.exec(path) ?? []
  const look = id === undefined ? "find /run /var/lib/kubelet -name '.kubelimbo-*'" : `find /run /var/lib/kubelet -name '${sideName(id)}*'`
  return {
    journal: path,
    outcome: 'failed',
    why: `the journal cannot be read: ${why}`,
    byHand: `${look}: if a socket is there, restart the server that it belongs to and remove it; then rm ${shellWord(path)}`,
  }
}
