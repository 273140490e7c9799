// Flags for a machine on which nothing of a node is to be seen, whatever runs where the tests do.
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll} from 'vitest'

/** The folder is the root of the node, and goes with the tests of the file. */
export function bareMachine(): {readonly root: string; readonly flags: readonly string[]} {
  const root = mkdtempSync(join(tmpdir(), 'kl-'))
  afterAll(() => rmSync(root, {recursive: true}))
  // What CRI_CONFIG_FILE names in kubelimbo.ts.
  mkdirSync(join(root, 'dev'))
  writeFileSync(join(root, 'dev/null'), '')
  // Nobody listens at port 1.
  return {root, flags: ['--host-root', root, '--kubelet-url', 'https://127.0.0.1:1']}
}
