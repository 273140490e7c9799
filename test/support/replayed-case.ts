// A golden case as a bundle with its raw replies, and a machine that opens it.
import {readFileSync} from 'node:fs'
import {parse} from 'yaml'
import {systemClock} from '../../src/base/clock.ts'
import {encoders} from '../../src/node/bundle/encode.ts'
import {openBundle} from '../../src/node/bundle.ts'
import {nodeHost} from '../../src/node/endpoints/host.ts'
import type {Machine} from '../../src/node/runtime-source.ts'
import {type Snapshot, type SourceName, sourceNames} from '../../src/node/snapshot.ts'
import {goldenFolder, openCase} from './golden-case.ts'
import {workerHere} from './workers.ts'

interface Texts {
  readonly node: string
  readonly replace?: Partial<Record<SourceName, string>>
  readonly add?: Partial<Record<SourceName, string>>
  readonly log?: readonly string[]
}

/** `unknown`: sources that the case changes in a way that has no raw reply. */
export async function rawCase(name: string): Promise<{snapshot: Snapshot; unknown: readonly SourceName[]}> {
  const {node, replace = {}, add = {}, log = []} = parse(readFileSync(`${goldenFolder}/${name}/case.yaml`, 'utf8')) as Texts
  const original = await openBundle(`fixtures/nodes/${node}`, {keepReplies: true})
  const {snapshot} = await openCase(name)
  const plain = await openBundle(`fixtures/nodes/${node}`)
  const unknown: SourceName[] = []
  const readings = Object.fromEntries(
    sourceNames.map((source) => {
      const reading = snapshot.readings[source]
      const was = original.readings[source]
      // Only of some sources is the raw reply kept.
      const kept = encoders[source].text({state: 'read', value: [], raw: 'raw'} as never) === 'raw'
      if (reading.state !== 'read' || !kept) return [source, reading]
      const before = was.state === 'read' ? (was.raw ?? '') : ''
      const lines = source === 'kubelet.log' && log.length > 0 ? `\n${log.join('\n')}\n` : ''
      const raw = replace[source] ?? (add[source] === undefined ? before + lines : joined(before, add[source]))
      const touched = replace[source] !== undefined || add[source] !== undefined || lines !== ''
      if (!touched && JSON.stringify(reading, bigints) !== JSON.stringify(plain.readings[source], bigints)) unknown.push(source)
      return [source, {...reading, raw}]
    }),
  )
  return {snapshot: {...snapshot, readings: readings as unknown as Snapshot['readings']}, unknown}
}

/** Lists of Kubernetes become one. */
function joined(before: string, more: string): string {
  if (!before.trimStart().startsWith('{')) return before + more
  const [list, others] = [JSON.parse(before), JSON.parse(more)]
  return JSON.stringify({...list, items: [...list.items, ...others.items]})
}

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

export function machineWith(snapshot: Snapshot, signal: AbortSignal): Machine {
  return {
    host: nodeHost({}),
    clock: systemClock,
    signal,
    waiting: new Set(),
    spawnStatWorker: () => workerHere(),
    openBundle: async () => snapshot,
  }
}
