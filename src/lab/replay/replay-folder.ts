// The folder of a replay: ours alone, empty when we begin; when we end, nothing of ours is left in it.
import {chmod, lstat, mkdir, mkdtemp, readdir, rm, rmdir, symlink, unlink} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'

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
  const root = own ? await mkdtemp(join(temporary, 'kubelimbo-replay-')) : await emptied(resolve(dir), uid)
  const stack = new AsyncDisposableStack()
  let ours: readonly string[] | undefined
  stack.defer(async () => {
    if (own) return await rm(root, {recursive: true, force: true})
    await removeEach(ours ?? (await contentOf(root)))
  })
  let shown = root
  if (Buffer.byteLength(root) + longest > longestAddress) {
    const short = await mkdtemp(join(temporary, 'kl-'))
    stack.defer(() => rm(short, {recursive: true, force: true}))
    shown = join(short, 'n')
    await symlink(root, shown)
  }
  const filled = async () => {
    ours = await contentOf(root)
  }
  return {root, shown, filled, [Symbol.asyncDispose]: () => stack.disposeAsync()}
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

async function emptied(root: string, uid: number): Promise<string> {
  const refused = (it: string) =>
    new UserError(`Cannot use --dir as ${root} must be a new or an empty folder of yours: ${it}`, {exit: exitCodes.refused})
  try {
    await mkdir(root, {recursive: true, mode: 0o700})
    const found = await lstat(root)
    if (!found.isDirectory()) throw refused('it is none')
    if (found.uid !== uid) throw refused("it is somebody else's")
    if ((await readdir(root)).length > 0) throw refused('there is something in it')
    await chmod(root, 0o700)
    return root
  } catch (error) {
    throw error instanceof UserError ? error : refused(firstLine(error))
  }
}
