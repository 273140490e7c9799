// Where the control socket of a proxy is, and how it is found again: only its owner gets there.
import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'

export interface Owner {
  readonly uid: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** The directory for temporary files. */
  readonly temporary: string
}

/** Root's is the machine's; others have one that goes with their session, where there is one. */
export function controlFolder({uid, env, temporary}: Owner): string {
  if (uid === 0) return '/run/kubelimbo'
  const {XDG_RUNTIME_DIR: own} = env
  return own === undefined || own === '' ? join(temporary, `kubelimbo-${uid}`) : join(own, 'kubelimbo')
}

export const controlPath = (owner: Owner, pid: number): string => join(controlFolder(owner), `inject-${pid}.sock`)

/** Undefined when a file of that name is none of ours. */
export function pidOfSocket(name: string): number | undefined {
  const [, pid] = /^inject-(\d+)\.sock$/.exec(name) ?? []
  return pid === undefined ? undefined : Number(pid)
}

/** Sockets of proxies that are there, or were. */
export async function controlSockets(owner: Owner): Promise<readonly string[]> {
  const folder = controlFolder(owner)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new UserError(`Cannot look for a running injector as ${folder} must be readable: ${firstLine(error)}`, {
      hint: 'name its control socket with --control',
      exit: exitCodes.blind,
    })
  })
  return names
    .filter((name) => pidOfSocket(name) !== undefined)
    .sort()
    .map((name) => join(folder, name))
}
