// What a kubelet's binary says of itself: it decides which flags and fields it is started with, and nothing else.
import {access, constants} from 'node:fs/promises'
import {resolve} from 'node:path'
import {execa} from 'execa'
import {firstLine, UserError} from '../../base/errors.ts'

export interface KubeletVersion {
  /** 'v1.18.2' */
  readonly text: string
  readonly minor: number
}

/** To load 100 MB from a slow disk. */
const patience = 30_000

/** @throws UserError when it is no program, or not a kubelet */
export async function kubeletVersion(path: string): Promise<KubeletVersion> {
  const hint = 'name the binary of a kubelet: --kubelet /usr/bin/kubelet'
  await access(path, constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    const is = error.code === 'ENOENT' ? 'not there' : 'no file that may be run'
    throw new UserError(`Cannot run ${path} as it must be a kubelet: it is ${is}`, {hint, cause: error})
  })
  const ran = await execa(resolve(path), ['--version'], {reject: false, timeout: patience, stdin: 'ignore'})
  const [, text, minor] = /^Kubernetes (v1\.(\d+)\.\S+)/m.exec(ran.stdout) ?? []
  if (text !== undefined) return {text, minor: Number(minor)}
  const said = firstLine(ran.stdout || ran.stderr || ran.shortMessage || 'nothing')
  throw new UserError(`Cannot run ${path} as it must be a kubelet: asked for --version it says '${said}'`, {hint})
}
