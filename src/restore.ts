// Gives back whatever was taken over and not given back, by nothing but the journals: with all else dead, and beside a proxy that runs.
import type {Clock} from './base/clock.ts'
import {firstLine, UserError} from './base/errors.ts'
import {type ExitCode, exitCodes} from './base/exit-codes.ts'
import {formatInstant} from './base/instant.ts'
import {readJournals, sweepTemporaries} from './proxy/takeover/journal-file.ts'
import {mayReadJournals} from './proxy/takeover/journal-folder.ts'
import {restoreOne} from './proxy/takeover/restore/restore-one.ts'
import type {RestoreReport} from './proxy/takeover/restore/restored.ts'

export interface RestoreRequest {
  /** The folder of journals. */
  readonly journals: string
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
  const {journals, uid, dryRun, node, tool, clock} = request
  const found = (await mayReadJournals(journals, uid)) ? await journalsIn(journals, dryRun) : []
  const when = formatInstant(clock.now())
  // Beside each other: one whose file system hangs keeps no other.
  const items = await Promise.all(found.map((each) => restoreOne(each, request)))
  const report: RestoreReport = {apiVersion: 'kubelimbo/v1', kind: 'Restore', metadata: {node, when, tool}, journals, dryRun, items}
  return {report, exit: items.some(({outcome}) => outcome === 'failed') ? exitCodes.dirty : exitCodes.clean}
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
