// `pods` as crictl prints it, and our two columns to its right.
import type {Standings} from '../findings/pods/standing.ts'
import type {Pod} from '../node/pod.ts'
import type {PodSandbox} from '../wire/gen/cri_pb.ts'
import {ageOf, humanDuration} from './age.ts'
import {sandboxData} from './crictl-data.ts'
import {idWord, pairs, sandboxState} from './crictl-words.ts'
import {oneLine} from './escaped.ts'
import type {ListStyle} from './list-style.ts'
import {table} from './table.ts'

export interface PodsView {
  readonly sandboxes: readonly PodSandbox[]
  /** Pods of the kubelet's that have no sandbox, to be shown below. */
  readonly withoutSandbox: readonly Pod[]
  readonly standings: Pick<Standings, 'of'>
  /** Milliseconds since 1970: what ages are counted to. */
  readonly now: number
}

const header = ['POD ID', 'CREATED', 'STATE', 'NAME', 'NAMESPACE', 'ATTEMPT', 'RUNTIME', 'KUBELET', 'VERDICT']

/** JSON and YAML win over -q, and -q over -v, as with crictl. */
export async function renderPods(view: PodsView, {output, quiet, verbose, noTrunc}: ListStyle): Promise<string> {
  if (output !== 'table') return sandboxData(view.sandboxes, output)
  if (quiet) return view.sandboxes.map(({id}) => `${oneLine(id)}\n`).join('')
  if (verbose) return view.sandboxes.map(paragraph).join('')
  return table(header, [
    ...view.sandboxes.map((sandbox) => row(sandbox, view, noTrunc)),
    ...view.withoutSandbox.map((pod) => emptyRow(pod, view)),
  ])
}

function row(sandbox: PodSandbox, {standings, now}: PodsView, noTrunc: boolean): readonly string[] {
  const {id, metadata, state, createdAt} = sandbox
  const {kubelet, verdict} = standings.of(metadata?.uid ?? '')
  return [
    idWord(id, noTrunc),
    ageOf(createdAt, now),
    sandboxState(state),
    metadata?.name ?? '',
    metadata?.namespace ?? '',
    `${metadata?.attempt ?? 0}`,
    handler(sandbox),
    kubelet,
    verdict,
  ]
}

function emptyRow({name, namespace, uid, createdAt}: Pod, {standings, now}: PodsView): readonly string[] {
  const {kubelet, verdict} = standings.of(uid)
  return ['-', createdAt === undefined ? '-' : `${humanDuration(now - createdAt)} ago`, '-', name, namespace, '-', '-', kubelet, verdict]
}

function handler({runtimeHandler}: PodSandbox): string {
  return runtimeHandler === '' ? '(default)' : runtimeHandler
}

function paragraph(sandbox: PodSandbox): string {
  const {id, metadata, state, createdAt, labels, annotations} = sandbox
  const lines = [
    ['ID', id],
    ['Name', metadata?.name],
    ['UID', metadata?.uid],
    ['Namespace', metadata?.namespace],
    ['Attempt', metadata?.attempt === 0 ? '' : `${metadata?.attempt ?? ''}`],
    ['Status', sandboxState(state)],
    ['Created', moment(createdAt)],
  ].map(([title, text]) => (text ? `${title}: ${oneLine(text)}\n` : ''))
  return `${lines.join('')}${pairs('Labels', labels, oneLine)}${pairs('Annotations', annotations, oneLine)}Runtime: ${oneLine(handler(sandbox))}\n\n`
}

/** As Go writes a time, in UTC. */
function moment(createdAt: bigint): string {
  const nanoseconds = ((createdAt % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const seconds = new Date(Number((createdAt - nanoseconds) / 1_000_000n)).toISOString().slice(0, 19).replace('T', ' ')
  const fraction = `${nanoseconds}`.padStart(9, '0').replace(/0+$/, '')
  return `${seconds}${fraction && `.${fraction}`} +0000 UTC`
}
