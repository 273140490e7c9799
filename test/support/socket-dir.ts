// Sockets need short paths, so they lie right below the system's temporary directory.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'

/** One that stays until the process ends, for what a whole file of tests uses. */
export function shortDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'kl-'))
  process.once('exit', () => rmSync(path, {recursive: true, force: true}))
  return path
}

export function tempDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'kl-'))
  onTestFinished(() => rmSync(path, {recursive: true, force: true}))
  return path
}
