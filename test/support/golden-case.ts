// A case of fixtures/findings: a captured node, and what is changed about it.
import {readdirSync, readFileSync} from 'node:fs'
import {parse} from 'yaml'
import {type Profile, profileNearest, profileOf} from '../../src/kubelet/profiles.ts'
import {decoders} from '../../src/node/bundle/decode.ts'
import {openBundle} from '../../src/node/bundle.ts'
import {parseKubeletLog} from '../../src/node/kubelet-log.ts'
import {known, type Reading, read} from '../../src/node/reading.ts'
import {type Snapshot, type SourceName, sourceNames} from '../../src/node/snapshot.ts'
import {changedNode, type NodeChange} from './changed-node.ts'

interface Case extends NodeChange {
  /** A folder of fixtures/nodes. */
  readonly node: string
  /** Sources as a bundle's file has them, in place of the node's. */
  readonly replace?: Partial<Record<SourceName, string>>
  /** The same, behind what the node has. */
  readonly add?: Partial<Record<SourceName, string>>
  /** Paths below the kubelet's root that are not there. */
  readonly gone?: readonly string[]
  /** Lines at the end of the kubelet's log. */
  readonly log?: readonly string[]
  readonly profile?: string
}

export const goldenFolder = 'fixtures/findings'
export const goldenCases = readdirSync(goldenFolder)

export async function openCase(name: string): Promise<{snapshot: Snapshot; profile: Profile}> {
  const {
    node,
    replace = {},
    add = {},
    gone = [],
    log = [],
    profile,
    ...change
  } = parse(readFileSync(`${goldenFolder}/${name}/case.yaml`, 'utf8')) as Case
  const original = await openBundle(`fixtures/nodes/${node}`)
  const readings: Record<string, Reading<unknown>> = {...original.readings}
  for (const source of sourceNames) {
    const given = replace[source] ?? add[source]
    if (given === undefined) continue
    const decoded = decoders[source](given, {when: original.when})
    const before = original.readings[source]
    if (add[source] === undefined) readings[source] = decoded
    else if (Array.isArray(decoded.value) && before.state === 'read' && Array.isArray(before.value))
      readings[source] = {...before, value: [...before.value, ...decoded.value]}
    else throw new Error(`Cannot add to ${source} of ${name} as the node must have a list of it`)
  }
  if (log.length > 0) {
    const lines = [...(known(original.readings['kubelet.log']) ?? []), ...parseKubeletLog(log.join('\n'), {near: original.when})]
    readings['kubelet.log'] = read(lines)
  }
  const entries = original.readings['disk.entries']
  if (gone.length > 0 && entries.state === 'read')
    readings['disk.entries'] = {...entries, value: entries.value.filter(({path}) => !gone.includes(path))}
  const snapshot = changedNode({...original, readings: readings as unknown as Snapshot['readings']}, change)
  return {snapshot, profile: profile === undefined ? profileNearest(snapshot.kubeletVersion) : profileOf(profile)}
}
