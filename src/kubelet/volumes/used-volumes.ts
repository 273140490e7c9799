// The volumes of a pod that a container of it uses: the others are skipped. Upstream: volume/util/util.go, GetPodVolumeNames
import type {Pod, Volume} from '../pod.ts'

/** Where no container of a pod names any, which no real pod with volumes has, all of them count as used. */
export function usedVolumes({spec}: Pick<Pod, 'spec'>): readonly Volume[] {
  const {volumes = [], initContainers = [], containers} = spec
  if (volumes.length === 0) return volumes
  const named = new Set(
    [...initContainers, ...containers].flatMap(({volumeMounts = [], volumeDevices = []}) =>
      [...volumeMounts, ...volumeDevices].map(({name}) => name),
    ),
  )
  return named.size === 0 ? volumes : volumes.filter(({name}) => named.has(name))
}
