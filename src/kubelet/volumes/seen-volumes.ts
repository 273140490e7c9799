// What others ask the volume manager. Upstream: volume_manager.go, GetVolumesInUse; metrics/metrics.go, totalVolumesCollector
import type {ActualWorld} from './actual-world.ts'
import type {DesiredWorld} from './desired-world.ts'

/** A volume of one pod. */
export interface SeenVolume {
  readonly uniqueName: string
  readonly driver: string
}

export interface SeenVolumes {
  /** Upstream: GetVolumesToMount */
  readonly desired: readonly SeenVolume[]
  /** Upstream: GetMountedVolumes */
  readonly mounted: readonly SeenVolume[]
  /** What must not be detached: the unique names, sorted. Each driver's volumes count as attachable, but for inline ones. */
  readonly inUse: readonly string[]
}

export function seenVolumes(desired: DesiredWorld, actual: ActualWorld): SeenVolumes {
  const wanted = desired.all()
  const attached = actual.all()
  const attachable = [...wanted.map(({volumeName, spec}) => ({name: volumeName, spec})), ...attached].filter(({spec}) => !spec.ephemeral)
  return {
    desired: wanted.map(({volumeName, spec}) => ({uniqueName: volumeName, driver: spec.driver})),
    mounted: attached.flatMap(({name, spec, pods}) =>
      [...pods.values()].flatMap(({state}) => (state === 'VolumeMounted' ? [{uniqueName: name, driver: spec.driver}] : [])),
    ),
    inUse: [...new Set(attachable.map(({name}) => name))].sort(),
  }
}
