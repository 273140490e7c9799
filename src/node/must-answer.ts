// What the user names may lie on a file system that hangs, as a node's own paths may.
import {resolve} from 'node:path'
import {firstLine, UserError} from '../base/errors.ts'
import {exitCodes} from '../base/exit-codes.ts'
import {followLinks, type Reach} from './follow-links.ts'

/** @throws UserError when it does. What else is wrong with the path is for whoever opens it to tell. */
export async function mustAnswer(path: string, reach: Reach): Promise<void> {
  try {
    await followLinks(resolve(path), (each) => each, reach)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') return
    throw new UserError(`Cannot use ${path} as the file system that it lies on must answer: ${firstLine(error)}`, {exit: exitCodes.blind})
  }
}
