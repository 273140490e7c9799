// Real mounts, by root only. What is mounted is unmounted with the test, before its folder is removed: a look at a mount that hangs would
// hang the test.
import {mkdirSync} from 'node:fs'
import {type ExecaError, execa} from 'execa'
import {builtPeers} from './built-peers.ts'

/** mount(8), with the mount point last. */
export async function mounted(...args: readonly string[]): Promise<AsyncDisposable> {
  const at = args.at(-1) ?? ''
  mkdirSync(at, {recursive: true})
  await execa('mount', [...args])
  return {[Symbol.asyncDispose]: () => unmount(at)}
}

export interface BrokenFuse extends AsyncDisposable {
  /** The daemon dies; the mount stays. */
  die(): Promise<void>
}

/** A FUSE file system that answers nothing, or everything with one error. */
export async function brokenFuse(at: string, error?: 'EACCES' | 'EHOSTDOWN' | 'EIO' | 'ESTALE'): Promise<BrokenFuse> {
  const [peer = ''] = await builtPeers('fuse-hang')
  mkdirSync(at, {recursive: true})
  const daemon = execa(peer, [...(error === undefined ? [] : ['-error', error]), at])
  const ended = daemon.catch((reason: ExecaError) => reason)
  // Its first line says that it is mounted.
  await Promise.race([new Promise((resolve) => daemon.stdout.once('data', resolve)), daemon])
  const die = async () => {
    daemon.kill('SIGKILL')
    await ended
  }
  return {
    die,
    [Symbol.asyncDispose]: async () => {
      await die()
      await unmount(at)
    },
  }
}

async function unmount(at: string): Promise<void> {
  await execa('umount', ['--lazy', at])
}
