// What is served, and the commands that look at it.
import {formatInstant} from '../base/instant.ts'
import {dataText} from './data.ts'
import {oneLine} from './escaped.ts'

export interface ReplayView {
  readonly file: string
  /** Of the node, as clients are to name it. */
  readonly root: string
  /** Of a bundle. */
  readonly node?: {readonly name: string; readonly when: number}
  readonly sockets: readonly {
    readonly kind: 'runtime' | 'driver' | 'registration'
    readonly state: 'served' | 'mute' | 'dead'
    readonly endpoint: string
  }[]
  readonly calls: number
  /** What it cannot answer, in words. */
  readonly missing: readonly string[]
}

export async function renderReplay(view: ReplayView, output: 'text' | 'json'): Promise<string> {
  if (output === 'json') return await dataText({apiVersion: 'kubelimbo/v1', kind: 'Replay', ...view}, 'json')
  const {file, root, node, sockets, calls, missing} = view
  const whose = node === undefined ? '' : `: ${node.name || 'a node'} as it was at ${formatInstant(node.when)}`
  const runtime = sockets.find(({kind}) => kind === 'runtime')
  const lines = [
    `Replaying ${file}${whose}, ${calls} calls, read-only. Ctrl-C ends it.`,
    ...missing.map((what) => `  ${what}`),
    ...sockets.map(({kind, state, endpoint}) => `  ${kind} ${endpoint}${said[state]}`),
    ...(runtime === undefined ? [] : [`crictl -r ${quoted(runtime.endpoint)} -i ${quoted(runtime.endpoint)} pods`]),
    ...(node === undefined ? [] : [`kubelimbo check --host-root ${quoted(root)}`]),
  ]
  return `${lines.map(oneLine).join('\n')}\n`
}

const said = {served: '', mute: ' (takes connections and says nothing, as on the node)', dead: ' (nobody listens, as on the node)'}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
