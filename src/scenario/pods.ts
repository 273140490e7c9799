// The pods of a scenario: each manifest, or as many copies of it as it says.
import type {PodManifest} from '../lab/api-server/pod-manifest.ts'
import type {Scenario} from './schema/scenario.ts'

interface Made {
  readonly key: string
  readonly manifest: PodManifest
}

interface Written {
  /** 'namespace/name' as it is written. */
  readonly key: string
  /** Itself, when it says of no copies. */
  readonly copies: readonly Made[]
}

/** They are asked for again and again, and may be thousands. */
const known = new WeakMap<Scenario['pods'], readonly Written[]>()

function writtenIn({pods}: Pick<Scenario, 'pods'>): readonly Written[] {
  const before = known.get(pods)
  if (before !== undefined) return before
  const written = pods.map(({count, apiVersion: _, kind: _kind, ...manifest}): Written => {
    const copies = count === undefined ? [manifest] : Array.from({length: count}, (_copy, index) => copyOf(manifest, index))
    return {key: keyOf(manifest), copies: copies.map((copy) => ({key: keyOf(copy), manifest: copy}))}
  })
  known.set(pods, written)
  return written
}

/** By 'namespace/name' of a manifest, of one copy, or of some with a * at its end. */
export function podsOf(scenario: Pick<Scenario, 'pods'>, pod: string): readonly PodManifest[] {
  return writtenIn(scenario).flatMap(({key, copies}) =>
    (pod === key ? copies : copies.filter((copy) => namesMatch(pod, copy.key))).map(({manifest}) => manifest),
  )
}

/** Those that have the name themselves: a manifest with copies has none that is called as it is. */
export function podsNamed(scenario: Pick<Scenario, 'pods'>, pod: string): readonly PodManifest[] {
  return writtenIn(scenario).flatMap(({copies}) => copies.filter((copy) => namesMatch(pod, copy.key)).map(({manifest}) => manifest))
}

/** All of them, in the order of the file. */
export const podKeys = (scenario: Pick<Scenario, 'pods'>): readonly (readonly string[])[] =>
  writtenIn(scenario).map(({copies}) => copies.map(({key}) => key))

export const keyOf = ({metadata: {namespace = 'default', name}}: Pick<PodManifest, 'metadata'>): string => `${namespace}/${name}`

/** @param wanted may end in a * */
export const namesMatch = (wanted: string, name: string): boolean =>
  wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted

function copyOf(manifest: PodManifest, index: number): PodManifest {
  return {...manifest, metadata: {...manifest.metadata, name: `${manifest.metadata.name}-${index}`}}
}
