// Makes a bundle of each capture of a real node: `node test/support/convert-capture.ts <captures> <out>`.
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {pathToFileURL} from 'node:url'

/** A capture's file, the source's name, the bundle's file, and how one becomes the other. */
const conversions: readonly (readonly [string, string, string, (text: string) => string])[] = [
  ['cri-pods.json', 'runtime.sandboxes', 'runtime/sandboxes.json', asIs],
  ['cri-containers.json', 'runtime.containers', 'runtime/containers.json', asIs],
  ['cri-podstatus.jsonl', 'runtime.sandbox-status', 'runtime/sandbox-status.jsonl', oneALine],
  ['cri-containerstatus.jsonl', 'runtime.container-status', 'runtime/container-status.jsonl', oneALine],
  ['kubelet-pods.json', 'kubelet.pods', 'kubelet/pods.json', pretty],
  ['kubelet-metrics.txt', 'kubelet.metrics', 'kubelet/metrics.txt', asIs],
  ['kubelet.log', 'kubelet.log', 'kubelet/log.txt', asIs],
  ['kubelet-tree.txt', 'disk.entries', 'disk/entries.jsonl', diskEntries],
  ['vol_data.txt', 'disk.vol-data', 'disk/vol-data.jsonl', volData],
  ['mountinfo.txt', 'kernel.mounts', 'kernel/mountinfo', asIs],
  ['losetup.txt', 'kernel.loop-devices', 'kernel/losetup.txt', asIs],
  ['crictl-version.txt', 'runtime.version', 'runtime/version.txt', asIs],
  ['api-pods.json', 'api.pods', 'api/pods.json', pretty],
  ['api-events.json', 'api.events', 'api/events.json', pretty],
]

const never = [
  'runtime.answers',
  'csi.drivers',
  'csi.registrations',
  'kubelet.runningpods',
  'kubelet.healthz',
  'disk.mounts',
  'kernel.devices',
  'kernel.boot',
  'processes',
  'takeovers',
  'api.node',
]
const absent = {state: 'absent', why: 'not in the capture'}

export function convertCapture(from: string, to: string): void {
  rmSync(to, {recursive: true, force: true})
  const readings: Record<string, object> = {}
  for (const [capture, source, file, convert] of conversions) {
    readings[source] = existsSync(join(from, capture)) ? {state: 'read', file} : absent
    if (readings[source] !== absent) write(join(to, file), convert(readFileSync(join(from, capture), 'utf8')))
  }
  for (const source of never) readings[source] = absent
  const manifest = {
    apiVersion: 'kubelimbo/v1',
    kind: 'NodeBundle',
    metadata: {node: 'n1', when: readFileSync(join(from, 'when'), 'utf8').trim(), tool: 'convert-capture'},
    kubelet: {root: '/var/lib/kubelet', version: '1.26.5'},
    readings: Object.fromEntries(Object.entries(readings).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
  write(join(to, 'bundle.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, text)
}

function asIs(text: string): string {
  return text
}

function pretty(text: string): string {
  return `${JSON.stringify(JSON.parse(text), null, 1)}\n`
}

/** Pretty objects one after another: each begins with a brace of its own line. */
function oneALine(text: string): string {
  return text
    .split(/^(?=\{)/m)
    .filter((object) => object.trim() !== '')
    .map((object) => `${JSON.stringify(JSON.parse(object))}\n`)
    .join('')
}

const types: Readonly<Record<string, string>> = {f: 'file', d: 'directory', l: 'link', s: 'socket', b: 'block', c: 'character', p: 'fifo'}

/** 'd 755 4096 ./pods -> ': type, mode, size, path, what a link points at. */
function diskEntries(text: string): string {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, type = '', mode, size, path = '', target] = /^(\S) ([0-7]+) (\d+) (.*?) -> (.*)$/.exec(line) ?? []
      if (mode === undefined) throw new Error(`Cannot convert '${line}' as it must be a line of a tree: it is not`)
      const link = type === 'l' ? {target} : {}
      return `${JSON.stringify({path: below(path), type: types[type] ?? 'other', mode, size: Number(size), ...link})}\n`
    })
    .join('')
}

/** '== ./path' before the text of each file, a line feed after it. */
function volData(text: string): string {
  return text
    .split(/^== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return `${JSON.stringify({path: below(part.slice(0, end)), content: part.slice(end + 1).replace(/\n$/, '')})}\n`
    })
    .join('')
}

function below(path: string): string {
  return path === '.' ? '' : path.replace(/^\.\//, '')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [from = '', to = ''] = process.argv.slice(2)
  for (const name of readdirSync(from).filter((entry) => statSync(join(from, entry)).isDirectory())) {
    convertCapture(join(from, name), join(to, name))
  }
}
