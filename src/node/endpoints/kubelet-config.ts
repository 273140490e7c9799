// The kubelet's configuration files: the file, and the drop-ins over it.
import {within} from '../rooted.ts'
import type {Host} from './host.ts'
import {type KubeletProcess, lastFlag} from './kubelet-process.ts'

export interface Setting {
  readonly value: unknown
  /** '/var/lib/kubelet/config.yaml:12' */
  readonly source: string
}

/**
 * In the order in which they are read: a drop-in wins over the file, and a later drop-in over an earlier one (cmd/kubelet/app/server.go,
 * mergeKubeletConfigurations).
 * @throws when the folder of drop-ins cannot be read.
 */
export async function configFiles(host: Host, {args, pid, root}: KubeletProcess): Promise<readonly string[]> {
  const locate = async (path: string) => (path.startsWith('/') ? within(host, root, path) : `/proc/${pid}/cwd/${path}`)
  const config = lastFlag(args, 'config')
  const folder = lastFlag(args, 'config-dir')
  const dropIns = folder ? await host.filesBelow(await locate(folder)) : []
  return [...(config ? [await locate(config)] : []), ...dropIns.filter((path) => path.endsWith('.conf'))]
}

/** @throws when the file cannot be read or is no YAML: nobody knows then what the kubelet read. */
export async function settingsIn(host: Host, path: string, keys: readonly string[]): Promise<ReadonlyMap<string, Setting>> {
  const text = await host.readText(path)
  // Most files do not have them, and most of the time is then the parser's.
  if (!keys.some((key) => text.includes(key))) return new Map()
  const {isMap, isScalar, LineCounter, parseDocument} = await import('yaml')
  const lines = new LineCounter()
  const {contents, errors} = parseDocument(text, {lineCounter: lines})
  if (errors[0]) throw errors[0]
  if (!isMap(contents)) return new Map()
  return new Map(
    contents.items.flatMap(({key, value}): [string, Setting][] => {
      if (!isScalar(key) || typeof key.value !== 'string' || !keys.includes(key.value) || !isScalar(value)) return []
      return [[key.value, {value: value.value, source: `${path}:${lines.linePos(value.range?.[0] ?? 0).line}`}]]
    }),
  )
}
