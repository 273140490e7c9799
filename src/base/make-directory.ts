// A directory with its parents, as Go's os.MkdirAll makes it: node's own has other codes for links that lead nowhere, and never comes back from where nothing can
// be made, such as /proc.
import {lstat, mkdir, stat} from 'node:fs/promises'
import {dirname} from 'node:path'
import {firstLine, UserError} from './errors.ts'

/** @param made is given those that it makes, the outermost first @throws an error with the code of the system call */
export async function makeDirectory(path: string, mode: number, made: string[] = []): Promise<void> {
  const is = await stat(path).catch(unlessMissing)
  if (is?.isDirectory()) return
  if (is !== undefined) throw Object.assign(new Error(`ENOTDIR: ${path}`), {code: 'ENOTDIR'})
  await makeDirectory(dirname(path), mode, made)
  try {
    await mkdir(path, mode)
    made.push(path)
  } catch (error) {
    // Somebody else made it meanwhile.
    if (codeOf(error) !== 'EEXIST' || !(await lstat(path)).isDirectory()) throw error
  }
}

/** Of one that the user named. @param flag '--root' @throws UserError */
export async function makeNamedDirectory(path: string, mode: number, flag: string, made: string[] = []): Promise<void> {
  try {
    await makeDirectory(path, mode, made)
  } catch (error) {
    throw new UserError(`Cannot use ${flag} as ${path} must be a directory that can be made: ${firstLine(error)}`, {
      hint: `name another one with ${flag}`,
      cause: error,
    })
  }
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
