// A folder of files, links and the like, for whoever walks it.
import {chmodSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {dirname, join} from 'node:path'
import {onTestFinished} from 'vitest'
import {makeFifo} from './fifo.ts'
import {tempDir} from './socket-dir.ts'

/** What lies at a path. */
export type Leaf =
  | string
  | Uint8Array
  | {readonly link: string}
  | {readonly fifo: true}
  | {readonly socket: true}
  | {readonly directory: true; readonly mode?: number}
  | {readonly text: string; readonly mode: number}

/** Makes them below a temporary folder, parents too. A path with a slash at its end is a directory. */
export async function treeOf(leaves: Readonly<Record<string, Leaf>>, root = tempDir()): Promise<string> {
  for (const [path, leaf] of Object.entries(leaves)) {
    const at = join(root, path)
    mkdirSync(dirname(at), {recursive: true})
    if (path.endsWith('/')) mkdirSync(at, {recursive: true})
    else await make(at, leaf)
  }
  return root
}

async function make(at: string, leaf: Leaf): Promise<void> {
  if (typeof leaf === 'string' || leaf instanceof Uint8Array) writeFileSync(at, leaf)
  else if ('link' in leaf) symlinkSync(leaf.link, at)
  else if ('fifo' in leaf) makeFifo(at)
  else if ('socket' in leaf) await bind(at)
  else if ('directory' in leaf) mkdirSync(at, {recursive: true, mode: leaf.mode ?? 0o750})
  else {
    writeFileSync(at, leaf.text)
    chmodSync(at, leaf.mode)
  }
}

async function bind(at: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, resolve)
  })
  onTestFinished(() => void server.close())
}
