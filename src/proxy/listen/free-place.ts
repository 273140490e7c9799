// What lies at the path where a proxy is to listen: nothing that lives is ever replaced.
import {lstat} from 'node:fs/promises'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {dial} from './dial.ts'

/**
 * Whether a socket that nobody listens on lies there, which may be replaced.
 * @throws UserError when something else does
 */
export async function deadSocketAt(path: string): Promise<boolean> {
  const stat = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw refusal(path, `it must be a path that can be looked at: ${firstLine(error)}`, 'choose another path')
  })
  if (stat === undefined) return false
  if (!stat.isSocket()) {
    const what = stat.isDirectory() ? 'a directory' : stat.isSymbolicLink() ? 'a link' : 'a file that is no socket'
    throw refusal(path, `nothing of somebody else's must be there: it is ${what}`, 'choose another path')
  }
  try {
    const socket = await dial({kind: 'unix', path})
    socket.destroy()
  } catch (error) {
    const {code = firstLine(error)} = error as NodeJS.ErrnoException
    if (code === 'ECONNREFUSED') return true
    if (code === 'ENOENT') return false
    throw refusal(path, `a socket there must be a dead one: connecting to it ends with ${code}`, 'choose another path')
  }
  throw refusal(path, 'nobody must listen there: somebody does', 'choose another path: clients are to be pointed at the one of the proxy')
}

export const refusal = (place: string, why: string, hint: string): UserError =>
  new UserError(`Cannot listen on ${place} as ${why}`, {hint, exit: exitCodes.refused})
