// Sockets need short paths, so they lie right below the system's temporary directory.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'

export function tempDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'kl-'))
  onTestFinished(() => rmSync(path, {recursive: true, force: true}))
  return path
}
