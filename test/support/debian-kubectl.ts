// Debian's kubectl, out of its package and not installed: a machine may have another kubectl in its place.
import {existsSync} from 'node:fs'
import {mkdir, mkdtemp, readdir, rename, rm} from 'node:fs/promises'
import {homedir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'kubelimbo/debian-kubectl')

/** @returns its path; needs apt with package lists, and the network at the first time */
export async function debianKubectl(): Promise<string> {
  const binary = join(cache, 'usr/bin/kubectl')
  if (existsSync(binary)) return binary
  await mkdir(join(cache, '..'), {recursive: true})
  const folder = await mkdtemp(`${cache}-`)
  try {
    const download = () => execa('apt-get', ['download', 'kubernetes-client'], {cwd: folder})
    await download().catch(async () => {
      await execa('apt-get', ['update'])
      await download()
    })
    const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'))
    if (archive === undefined) throw new Error('apt-get download left no package')
    const unpacked = join(folder, 'unpacked')
    await execa('dpkg-deb', ['--extract', join(folder, archive), unpacked])
    // Another run may have been quicker: its copy is as good.
    await rename(unpacked, cache).catch((error) => {
      if (!existsSync(binary)) throw error
    })
    return binary
  } finally {
    await rm(folder, {recursive: true, force: true})
  }
}
