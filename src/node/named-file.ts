// A file that the user names, whole: it may be no file at all, or lie where nothing answers.
import {constants} from 'node:fs'
import {open} from 'node:fs/promises'
import {UserError} from '../base/errors.ts'
import {kindOf} from './bundle/folder.ts'
import {inMiB} from './bundle/limits.ts'
import {systemReason} from './bundle/system-reason.ts'
import type {Reach} from './follow-links.ts'
import {mustAnswer} from './must-answer.ts'
import {readAtMost} from './read-at-most.ts'

interface NamedFile {
  readonly path: string
  /** 'the baseline'. */
  readonly what: string
  /** Bytes. */
  readonly most: number
}

/** @throws UserError, one sentence. */
export async function readNamedFile({path, what, most}: NamedFile, reach: Reach): Promise<string> {
  await mustAnswer(path, reach)
  const cannot = (why: string, cause?: unknown) => new UserError(`Cannot read ${what} ${path}${why}`, {cause})
  const failed = (error: unknown) => Promise.reject(cannot(`: ${systemReason(error)}`, error))
  // O_NONBLOCK: a pipe without a writer would hold us for good.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(failed)
  const stats = await file.stat().catch(failed)
  if (!stats.isFile()) throw cannot(` as it must be a regular file: it is ${kindOf(stats)}`)
  const bytes = await readAtMost(file, most).catch(failed)
  if (bytes === undefined) throw cannot(` as it must have at most ${inMiB(most)}: it is larger`)
  return new TextDecoder().decode(bytes)
}
