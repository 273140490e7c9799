// Files that look old: detectors leave young ones alone.
import {lutimes, readdir} from 'node:fs/promises'
import {join} from 'node:path'

/** Sets the modification times of the path and of all below it to an hour ago. */
export async function makeOld(path: string): Promise<void> {
  const below = await readdir(path, {recursive: true}).catch(() => [])
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const each of ['', ...below]) await lutimes(join(path, each), hourAgo, hourAgo)
}
