// A Debian with nothing in it but what apt needs. It is made once and only read: what is mounted below it is so for one command alone.
import {existsSync} from 'node:fs'
import {mkdir, readFile, rename, rm} from 'node:fs/promises'
import {homedir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'
import type {Ran} from './kubelimbo.ts'

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'kubelimbo/minbase')

/**
 * Its folder; of this machine's release, by the mirror that this machine's apt uses.
 * @throws with the last line of debootstrap.
 */
export async function minbase(): Promise<string> {
  const release = /^VERSION_CODENAME=(\S+)$/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1]
  if (release === undefined) throw new Error('Cannot make a minbase as /etc/os-release must name a release of Debian: it does not')
  const folder = join(cache, release)
  if (existsSync(folder)) return folder
  const making = `${folder}.${process.pid}`
  await mkdir(cache, {recursive: true})
  try {
    // What it mounts ends with it, before anything is removed here.
    await execa('unshare', ['--mount', 'debootstrap', '--variant=minbase', release, making, await mirrorOf(release)], {all: true})
    // Another run may have been quicker.
    if (!existsSync(folder)) await rename(making, folder)
  } catch (error) {
    const said = error instanceof Error && 'all' in error ? String(error.all) : String(error)
    throw new Error(`Cannot make a minbase: ${said.trim().split('\n').at(-1)}`, {cause: error})
  } finally {
    await rm(making, {recursive: true, force: true})
  }
  return folder
}

/** apt names only what it has an index of. */
async function mirrorOf(release: string): Promise<string> {
  const ask = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Component: main', `Codename: ${release}`]
  const known = async () => (await execa('apt-get', ask)).stdout.split('\n')[0] ?? ''
  const mirror = await known()
  if (mirror !== '') return mirror
  await execa('apt-get', ['update', '-qq'])
  return await known()
}

const script = `
root=$1; shift
mount --bind /proc "$root/proc"
mount --rbind /sys "$root/sys"
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs tmpfs "$root/opt"
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "$root$2"; else : >"$root$2"; fi
  mount --bind "$1" "$root$2"
  shift 2
done
shift
exec chroot "$root" "$@"`

/** @param mounts what of this machine is seen, besides /proc and /sys, and below /tmp or /opt: places here to places there. */
export async function inMinbase(
  mounts: Readonly<Record<string, string>>,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const args = [await minbase(), ...Object.entries(mounts).flat(), '--', ...command]
  const {exitCode, stdout, stderr} = await execa('unshare', ['--mount', '--propagation', 'private', 'sh', '-euc', script, 'sh', ...args], {
    reject: false,
    extendEnv: false,
    stdin: 'ignore',
    env,
  })
  return {exitCode, stdout, stderr}
}
