// `ps` as crictl prints it, and our two columns to its right.
import type {Standings} from '../findings/pods/standing.ts'
import {podLabel} from '../node/cri-selection.ts'
import type {Container} from '../wire/gen/cri_pb.ts'
import {ageOf} from './age.ts'
import {containerData} from './crictl-data.ts'
import {containerState, idWord, pairs, shortImage} from './crictl-words.ts'
import {oneLine} from './escaped.ts'
import type {ListStyle} from './list-style.ts'
import {table} from './table.ts'

export interface PsView {
  readonly containers: readonly Container[]
  readonly standings: Pick<Standings, 'of'>
  /** Milliseconds since 1970: what ages are counted to. */
  readonly now: number
}

const header = ['CONTAINER', 'IMAGE', 'CREATED', 'STATE', 'NAME', 'ATTEMPT', 'POD ID', 'POD', 'NAMESPACE', 'KUBELET', 'VERDICT']

/** JSON and YAML win over -q, and -q over -v, as with crictl. */
export async function renderPs(view: PsView, {output, quiet, verbose, noTrunc}: ListStyle): Promise<string> {
  if (output !== 'table') return containerData(view.containers, output)
  if (quiet) return view.containers.map(({id}) => `${oneLine(id)}\n`).join('')
  if (verbose) return view.containers.map((container) => paragraph(container, view.now)).join('')
  return table(
    header,
    view.containers.map((container) => row(container, view, noTrunc)),
  )
}

function row(container: Container, {standings, now}: PsView, noTrunc: boolean): readonly string[] {
  const {id, image, createdAt, state, metadata, podSandboxId} = container
  const {kubelet, verdict} = standings.of(podLabel(container, 'uid'))
  return [
    idWord(id, noTrunc),
    shortImage(image?.image ?? '', noTrunc),
    ageOf(createdAt, now),
    containerState(state),
    metadata?.name ?? '',
    `${metadata?.attempt ?? 0}`,
    idWord(podSandboxId, noTrunc),
    podLabel(container, 'name'),
    podLabel(container, 'namespace'),
    kubelet,
    verdict,
  ]
}

function paragraph(container: Container, now: number): string {
  const {id, podSandboxId, metadata, state, image, createdAt, labels, annotations} = container
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['ID', id],
    ['PodID', podSandboxId],
    ['Namespace', podLabel(container, 'namespace')],
    ['Name', metadata?.name || undefined],
    ['Attempt', metadata && `${metadata.attempt}`],
    ['State', containerState(state)],
    ['Image', image?.image],
    ['Created', ageOf(createdAt, now)],
  ]
  const told = lines.map(([title, text]) => (text === undefined ? '' : `${title}: ${oneLine(text)}\n`)).join('')
  return `${told}${pairs('Labels', labels, oneLine)}${pairs('Annotations', annotations, oneLine)}\n`
}
