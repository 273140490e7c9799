// Gives back whatever was taken over and not given back, by nothing but the journals: with all else dead, and beside a proxy that runs.
import {readdir, realpath} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import type {Clock} from './base/clock.ts'
import {firstLine, UserError} from './base/errors.ts'
import {type ExitCode, exitCodes} from './base/exit-codes.ts'
import {formatInstant} from './base/instant.ts'
import {journalFolder} from './node/takeover/journal.ts'
import {journalId, readJournals, sweepTemporaries} from './proxy/takeover/journal-file.ts'
import {mayReadJournals} from './proxy/takeover/journal-folder.ts'
import {restoreOne} from './proxy/takeover/restore/restore-one.ts'
import type {RestoreReport} from './proxy/takeover/restore/restored.ts'

export interface RestoreRequest {
  /** The folder of journals. */
  readonly journals: string
  /** Somebody has named it: then it must be there. */
  readonly named?: boolean
  /** Root's folder of journals, which others are told of. */
  readonly rootsJournals?: string
  /** Of this one alone: an absolute path. */
  readonly socket?: string
  readonly uid: number
  /** Says what it would do, and does nothing. */
  readonly dryRun: boolean
  readonly node: string
  readonly tool: string
  readonly clock: Clock
  /** Where /proc is mounted. */
  readonly proc?: string
}

/** @throws UserError when the journals cannot be looked for, or others could have written them */
export async function restore(request: RestoreRequest): Promise<{readonly report: RestoreReport; readonly exit: ExitCode}> {
  const {journals, named = false, uid, dryRun, node, tool, clock} = request
  const socket = request.socket === undefined ? undefined : await resolved(request.socket)
  const folder = await mayReadJournals(journals, uid)
  if (folder === undefined && named)
    throw new UserError(`Cannot look for journals in ${journals} as it must be there: there is no such directory`, {
      hint: '--journals is the one that inject or record was given; without it the usual one is looked at',
      exit: exitCodes.blind,
    })
  const all = folder === undefined ? [] : await journalsIn(folder, dryRun)
  const found = socket === undefined ? all : all.filter(({path}) => basename(path) === `${journalId(socket)}.json`)
  const elsewhere = named ? undefined : await journalsElsewhere(request)
  const when = formatInstant(clock.now())
  // Beside each other: one whose file system hangs keeps no other.
  const items = await Promise.all(found.map((each) => restoreOne(each, request)))
  const report: RestoreReport = {
    apiVersion: 'kubelimbo/v1',
    kind: 'Restore',
    metadata: {node, when, tool},
    journals,
    dryRun,
    ...(socket !== undefined && {socket}),
    ...(elsewhere && {elsewhere}),
    items,
  }
  return {report, exit: items.some(({outcome}) => outcome === 'failed') ? exitCodes.dirty : exitCodes.clean}
}

/** A journal has its links resolved. */
async function resolved(socket: string): Promise<string> {
  return join(await realpath(dirname(socket)).catch(() => dirname(socket)), basename(socket))
}

/** Who is not root looks into a folder of its own; root's may have others. */
async function journalsElsewhere({journals, rootsJournals = journalFolder}: RestoreRequest): Promise<string | undefined> {
  if (journals === rootsJournals) return undefined
  try {
    const found = (await readdir(rootsJournals)).filter((name) => name.endsWith('.json'))
    return found.length === 0 ? undefined : `${rootsJournals} has journals, too, which only root can use: run it as root for those`
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    return code === 'ENOENT'
      ? undefined
      : `whether ${rootsJournals} has journals, too, cannot be seen (${code ?? firstLine(error)}): run it as root for those`
  }
}

async function journalsIn(folder: string, dryRun: boolean) {
  try {
    const found = await readJournals(folder)
    if (!dryRun) await sweepTemporaries(folder).catch(() => undefined)
    return found
  } catch (error) {
    throw new UserError(`Cannot look for journals in ${folder} as it must be readable: ${firstLine(error)}`, {
      exit: exitCodes.blind,
      cause: error,
    })
  }
}
