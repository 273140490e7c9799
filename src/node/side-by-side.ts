// All sources at once, each with its own deadline: one that hangs costs what it was to tell, and nothing else.
import type {Clock} from '../base/clock.ts'
import {formatDuration} from '../base/duration.ts'
import {firstLine, UserError} from '../base/errors.ts'
import {exitCodes} from '../base/exit-codes.ts'
import {withDeadline} from '../wire/deadline.ts'
import {failed} from './reading.ts'
import type {Readings, SourceName} from './snapshot.ts'

export interface SourceReader {
  /** For people: 'the container runtime'. */
  readonly what: string
  /** What it is to read: failed, all of them, when it does not end in time. */
  readonly names: readonly SourceName[]
  read(signal: AbortSignal): Promise<Partial<Readings>>
}

export interface SideBySide {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds for each. */
  readonly ms: number
  /** Who has not ended yet, kept up to date. */
  readonly waiting: Set<string>
}

/** @throws UserError when a source says that the command line is wrong; the signal's reason when it is aborted. */
export async function readSideBySide(readers: readonly SourceReader[], options: SideBySide): Promise<Partial<Readings>> {
  const results = await Promise.all(readers.map((reader) => readOne(reader, options)))
  return Object.assign({}, ...results)
}

async function readOne({what, names, read}: SourceReader, {clock, signal, ms, waiting}: SideBySide): Promise<Partial<Readings>> {
  const started = clock.now()
  const expired = () => new UserError(`${what} has not answered within ${formatDuration(ms)}`, {exit: exitCodes.blind})
  waiting.add(what)
  try {
    return await withDeadline({clock, ms, expired, signal}, read)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof UserError && error.exit !== exitCodes.blind) throw error
    const reading = failed(firstLine(error), clock.now() - started)
    return Object.fromEntries(names.map((name) => [name, reading]))
  } finally {
    waiting.delete(what)
  }
}
