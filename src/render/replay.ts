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
  /** What crictl can list of it. */
  readonly lists?: 'pods' | 'ps -a'
  /** Of a recording: where its drivers' sockets are below. */
  readonly kubeletRoot?: string
  readonly calls: number
  /** What it cannot answer, in words. */
  readonly missing: readonly string[]
}

export async function renderReplay(view: ReplayView, output: 'text' | 'json'): Promise<string> {
  if (output === 'json') return await dataText({apiVersion: 'kubelimbo/v1', kind: 'Replay', ...view}, 'json')
  const {file, node, sockets, calls, missing} = view
  const whose = node === undefined ? '' : `: ${node.name || 'a node'} as it was at ${formatInstant(node.when)}`
  const lines = [
    `Replaying ${file}${whose}, ${calls} calls, read-only. Ctrl-C ends it.`,
    ...missing.map((what) => `  ${what}`),
    ...sockets.map(({kind, state, endpoint}) => `  ${kind} ${endpoint}${said[state]}`),
    ...commandsFor(view),
  ]
  return `${lines.map(oneLine).join('\n')}\n`
}

/** Those that this one answers. */
function commandsFor({root, node, sockets, lists, kubeletRoot}: ReplayView): readonly string[] {
  const runtime = sockets.find(({kind}) => kind === 'runtime')
  const commands = [
    ...(runtime === undefined || lists === undefined
      ? []
      : [`crictl -r ${quoted(runtime.endpoint)} -i ${quoted(runtime.endpoint)} ${lists}`]),
    ...(node === undefined ? [] : [`kubelimbo check --host-root ${quoted(root)}`]),
    ...(kubeletRoot === undefined ? [] : [`kubelimbo drivers --host-root ${quoted(root)} --kubelet-root ${quoted(kubeletRoot)}`]),
  ]
  return commands.length > 0
    ? commands
    : ['No command of crictl or kubelimbo is answered by these calls alone: ask the sockets themselves.']
}

const said = {served: '', mute: ' (takes connections and says nothing, as on the node)', dead: ' (nobody listens, as on the node)'}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
