// Where findings are saved: looked at before the work is done, so that it is not in vain. Nothing that is there is written over.
import {lstat, mkdir, mkdtemp, open, readFile, rm, rmdir, stat, unlink, writeFile} from 'node:fs/promises'
import {dirname, join, parse, resolve} from 'node:path'
import {UserError} from '../../../base/errors.ts'
import {exitCodes} from '../../../base/exit-codes.ts'
import {isFullDisk, unwrittenHint, unwrittenReason} from '../../../base/unwritten.ts'

export interface SaveTarget {
  readonly path: string
  /** All findings go there, each into a file of its own; into a file, only the first. */
  readonly isFolder: boolean
}

/** A folder is what is one, and what ends in /: it is made where its parent is. @throws UserError when nothing could be written there. */
export async function saveTarget(path: string): Promise<SaveTarget> {
  const must = (what: string) => new UserError(`Cannot save scenarios as --save must ${what}`)
  if (path.trim() === '') throw must(`name a file or a folder: it is '${path}'`)
  if (path.includes('\0')) throw must(`name a file or a folder: there is a NUL in '${path}'`)
  if (parse(resolve(path)).root === resolve(path)) throw must(`not be the root of the file system: it is '${path}'`)
  const bare = path.replace(/\/+$/, '')
  const there = await lstat(bare).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw unsaved(path, error)
  })
  if (there === undefined) {
    const isFolder = path !== bare
    await (isFolder ? mkdir(bare) : tryFile(bare)).catch((error: unknown) => {
      throw unsaved(path, error)
    })
    if (isFolder) await tryFolder(path, bare)
    return {path, isFolder}
  }
  const target = there.isSymbolicLink() ? await stat(bare).catch(() => undefined) : there
  if (target === undefined) throw must(`not be a link to what is not there: '${path}' is one`)
  if (target.isDirectory()) {
    await tryFolder(path, bare)
    return {path, isFolder: true}
  }
  if (path !== bare) throw must(`be a folder when it ends in /: '${bare}' is none`)
  if (there.isSymbolicLink()) throw must(`name what is not there yet, or a folder: '${path}' is a link`)
  throw must(`name what is not there yet, or a folder: '${path}' is there and is not written over`)
}

/** Whoever may write by the permissions may still not: on a file system that is read-only, or none. */
async function tryFile(path: string): Promise<void> {
  await stat(dirname(path))
  const file = await open(path, 'wx')
  await file.close()
  await unlink(path)
}

async function tryFolder(path: string, bare: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(bare, '.kubelimbo-')))
  } catch (error) {
    throw unsaved(path, error)
  }
}

/** The same finding may be there from before. Links are not followed, and no half of a file is left. @throws UserError */
export async function saveFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, {flag: 'wx'})
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      await rm(path, {force: true}).catch(() => undefined)
      throw unsaved(path, error)
    }
    const isSame = (await lstat(path)).isFile() && (await readFile(path, 'utf8').catch(() => undefined)) === text
    if (!isSame) throw unsaved(path, new Error('it is there and is not written over'))
  }
}

const unsaved = (path: string, cause: unknown): UserError =>
  new UserError(`Cannot save scenarios as ${path} must be what can be written: ${unwrittenReason(cause)}`, {
    hint: unwrittenHint(cause),
    exit: isFullDisk(cause) ? exitCodes.blind : exitCodes.usage,
    cause,
  })
