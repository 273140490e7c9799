// A node of any size, made from a seed: the same seed gives the same bytes. As the files of a bundle, as a snapshot, or as a folder.
import {createHash} from 'node:crypto'
import {mkdir, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {decoders} from '../../src/node/bundle/decode.ts'
import {absent, type Reading} from '../../src/node/reading.ts'
import {type Snapshot, type SourceName, sourceNames} from '../../src/node/snapshot.ts'
import {seededRandom} from '../bench/shuffle.ts'
import {addHealthy, addTrouble, drivers, healthyKinds, type TroubleKind, troubleKinds} from './generated-volumes.ts'
import {NodeText} from './node-text.ts'

export interface GeneratedSize {
  readonly seed: number
  readonly pods: number
  readonly volumes: number
  /** Lines of the mount table that have nothing to do with volumes. */
  readonly moreMounts?: number
  /** One volume in so many is in trouble; 0: none. Default: 10. */
  readonly troubleIn?: number
}

export interface GeneratedNode {
  /** By the source's name: what a bundle's file of it holds. */
  readonly files: Readonly<Partial<Record<SourceName, string>>>
  readonly troubles: readonly TroubleKind[]
}

const root = '/var/lib/kubelet'
const when = Date.parse('2026-11-30T12:00:00Z')
const version = '1.36.2'

export function generatedNode({seed, pods, volumes, moreMounts = 0, troubleIn = 10}: GeneratedSize): GeneratedNode {
  const random = seededRandom(seed)
  const node = new NodeText({root, when, random})
  for (const driver of drivers) node.driver(driver)
  const all = Array.from({length: pods}, (_, index) => node.pod(`app-${index}`, `team-${index % 10}`))
  const troubles: TroubleKind[] = []
  for (let index = 0; index < volumes; index++) {
    // Each pod has its share, in an order that the seed chooses.
    const at = (index * 7919 + seed) % pods
    const pod = all[at]
    if (pod === undefined) continue
    if (troubleIn > 0 && index % troubleIn === troubleIn - 1) {
      const kind = troubleKinds[troubles.length % troubleKinds.length] ?? 'subpath-left'
      troubles.push(kind)
      addTrouble(node, kind, pod, index)
    } else {
      addHealthy(node, healthyKinds[index % healthyKinds.length] ?? 'filesystem', pod, index, all[(at + 1 + (index % 3)) % pods])
    }
  }
  for (let index = 0; index < moreMounts; index++) {
    const id = createHash('sha256').update(`${seed} ${index}`).digest('hex')
    node.foreignMount(`/run/containerd/io.containerd.runtime.v2.task/k8s.io/${id}/rootfs`)
  }
  return {files: node.files(), troubles}
}

export function generatedSnapshot({files}: GeneratedNode): Snapshot {
  const readings = Object.fromEntries(
    sourceNames.map((name): [string, Reading<unknown>] => {
      const text = files[name]
      return [name, text === undefined ? absent('not generated') : decoders[name](text, {when})]
    }),
  ) as unknown as Snapshot['readings']
  return {node: 'generated', when, kubeletRoot: root, kubeletVersion: version, readings, unread: {}}
}

/** Writes the node as a bundle's folder. */
export async function writeGenerated({files}: GeneratedNode, folder: string): Promise<void> {
  const fileOf = (source: string) => `${source.replace('.', '/')}.txt`
  const readings = Object.fromEntries(
    sourceNames.map((name) => [
      name,
      files[name] === undefined ? {state: 'absent', why: 'not generated'} : {state: 'read', file: fileOf(name)},
    ]),
  )
  const manifest = {
    apiVersion: 'kubelimbo/v1',
    kind: 'NodeBundle',
    metadata: {node: 'generated', when: new Date(when).toISOString()},
    kubelet: {root, version},
    readings,
  }
  const texts = Object.entries(files).map(([source, text]) => [fileOf(source), text] as const)
  for (const [name, text] of [['bundle.json', JSON.stringify(manifest, null, 2)] as const, ...texts]) {
    await mkdir(dirname(join(folder, name)), {recursive: true})
    await writeFile(join(folder, name), text)
  }
}
