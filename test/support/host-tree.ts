// A folder that stands for the root of a node: files, links, processes, and sockets that are there to be looked at.
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {dirname, join} from 'node:path'
import {onTestFinished} from 'vitest'
import {type Host, nodeHost} from '../../src/node/endpoints/host.ts'
import {tempDir} from './socket-dir.ts'

export interface HostTree {
  readonly files?: Readonly<Record<string, string>>
  /** Relative targets only: an absolute one would lead out of the folder. */
  readonly links?: Readonly<Record<string, string>>
  readonly sockets?: readonly string[]
  readonly processes?: readonly {
    readonly pid: number
    readonly name: string
    readonly args: readonly string[]
    readonly mountNamespace?: string
  }[]
  readonly env?: Host['env']
}

export async function hostTree({
  files = {},
  links = {},
  sockets = [],
  processes = [],
  env = {},
}: HostTree): Promise<{host: Host; root: string}> {
  const root = tempDir()
  const place = (path: string) => {
    mkdirSync(dirname(join(root, path)), {recursive: true})
    return join(root, path)
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, place(path))
  for (const [path, text] of Object.entries(files)) writeFileSync(place(path), text)
  symlinkSync('mnt:[1]', place('/proc/self/ns/mnt'))
  for (const {pid, name, args, mountNamespace = 'mnt:[1]'} of processes) {
    writeFileSync(place(`/proc/${pid}/comm`), `${name}\n`)
    writeFileSync(place(`/proc/${pid}/cmdline`), `${args.join('\0')}\0`)
    symlinkSync(mountNamespace, place(`/proc/${pid}/ns/mnt`))
  }
  for (const path of sockets) await bindSocket(place(path))
  return {host: nodeHost(env, root), root}
}

async function bindSocket(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  onTestFinished(() => void server.close())
}
