// The pods of a scenario: each manifest, or as many copies of it as it says.
import type {PodManifest} from '../lab/pod-manifest.ts'
import type {Scenario} from './schema/scenario.ts'

/** By 'namespace/name' of a manifest, of one copy, or of some with a * at its end. */
export function podsOf({pods}: Pick<Scenario, 'pods'>, pod: string): readonly PodManifest[] {
  return pods.flatMap(({count, apiVersion: _, kind: _kind, ...manifest}) => {
    const key = keyOf(manifest)
    if (count === undefined) return namesMatch(pod, key) ? [manifest] : []
    const copies = Array.from({length: count}, (_copy, index) => copyOf(manifest, index))
    return pod === key ? copies : copies.filter((copy) => namesMatch(pod, keyOf(copy)))
  })
}

export const keyOf = ({metadata: {namespace = 'default', name}}: Pick<PodManifest, 'metadata'>): string => `${namespace}/${name}`

/** @param wanted may end in a * */
export const namesMatch = (wanted: string, name: string): boolean =>
  wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted

function copyOf(manifest: PodManifest, index: number): PodManifest {
  return {...manifest, metadata: {...manifest.metadata, name: `${manifest.metadata.name}-${index}`}}
}
