// The folder of a replay: ours alone, empty when we begin; when we end, nothing of ours is left in it.
import {chmod, lstat, mkdtemp, readdir, rm, rmdir, symlink, unlink} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {makeDirectory} from '../../base/make-directory.ts'
import {isFullDisk, unwritten, unwrittenReason} from '../../base/unwritten.ts'

export interface ReplayFolder extends AsyncDisposable {
  readonly root: string
  /** The same, or a link to it that is short enough for the sockets in it to be dialled. */
  readonly shown: string
  /** All of ours is in it: what comes later is somebody's, and stays. */
  filled(): Promise<void>
}

interface FolderOptions {
  /** --dir */
  readonly dir?: string
  readonly temporary: string
  readonly uid: number
  /** The longest path of a socket below it. */
  readonly longest: number
}

/** unix(7) */
const longestAddress = 107

/** @throws UserError when the folder cannot be ours */
export async function replayFolder({dir, temporary, uid, longest}: FolderOptions): Promise<ReplayFolder> {
  const own = dir === undefined
  await using stack = new AsyncDisposableStack()
  const root = own ? await newFolder(join(temporary, 'kubelimbo-replay-')) : await emptied(resolve(dir), uid, stack)
  let ours: readonly string[] | undefined
  stack.defer(async () => {
    if (own) return await rm(root, {recursive: true, force: true})
    await removeEach(ours ?? (await contentOf(root)))
  })
  let shown = root
  if (Buffer.byteLength(root) + longest > longestAddress) {
    const short = await newFolder(join(temporary, 'kl-'))
    stack.defer(() => rm(short, {recursive: true, force: true}))
    shown = join(short, 'n')
    await symlink(root, shown)
  }
  const filled = async () => {
    ours = await contentOf(root)
  }
  const all = stack.move()
  return {root, shown, filled, [Symbol.asyncDispose]: () => all.disposeAsync()}
}

async function newFolder(prefix: string): Promise<string> {
  return await mkdtemp(prefix).catch((error: unknown) => Promise.reject(unwritten(`make a folder ${prefix}…`, error)))
}

/** By the kinds of entries: without them readdir() goes through links. */
async function contentOf(root: string): Promise<readonly string[]> {
  return (await readdir(root, {recursive: true, withFileTypes: true})).map(({parentPath, name}) => join(parentPath, name))
}

/** What lies in a folder comes before it. A folder in which there is something else stays. */
async function removeEach(paths: readonly string[]): Promise<void> {
  for (const path of paths.toSorted().toReversed()) {
    const kind = await lstat(path).catch(() => undefined)
    await (kind?.isDirectory() ? rmdir(path) : unlink(path)).catch(() => undefined)
  }
}

/** At the end it is as it was: gone, when it is new. @param stack takes how */
async function emptied(root: string, uid: number, stack: AsyncDisposableStack): Promise<string> {
  const refused = (it: string, cause?: unknown) =>
    new UserError(`Cannot use --dir as ${root} must be a new or an empty folder of yours: ${it}`, {
      hint: 'name another one, or leave --dir out: then it is one in the temporary directory',
      exit: isFullDisk(cause) ? exitCodes.blind : exitCodes.refused,
      cause,
    })
  const made: string[] = []
  stack.defer(() => removeEach(made))
  try {
    await makeDirectory(root, 0o700, made)
    const found = await lstat(root)
    if (!found.isDirectory()) throw refused('it is none')
    if (found.uid !== uid) throw refused("it is somebody else's")
    if ((await readdir(root)).length > 0) throw refused('there is something in it')
    await chmod(root, 0o700)
    stack.defer(() => chmod(root, found.mode & 0o7777).catch(() => undefined))
    return root
  } catch (error) {
    if (error instanceof UserError) throw error
    throw refused((await isFile(root)) ? 'it is none' : unwrittenReason(error), error)
  }
}

async function isFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found !== undefined && !found.isDirectory() && !found.isSymbolicLink()
}
