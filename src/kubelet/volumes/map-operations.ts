// Staging, publishing and mapping of raw block volumes as operations, and their undoing. Upstream: operation_generator.go, Generate*Map*Func
//
// Whether somebody still has the device open when it is unmapped is not modelled.
import {type Pod, podKey} from '../pod.ts'
import type {AttachedVolume, MountedPod} from './actual-world.ts'
import type {CsiBlock} from './csi-block.ts'
import {textOf} from './csi-host.ts'
import {blockPaths} from './csi-paths.ts'
import {isMissing} from './disk-steps.ts'
import {markDeviceErrorState, markVolumeErrorState} from './error-state.ts'
import {deviceBindMountRefs, mapBlockVolume, unmapBlockVolume} from './map-block-volume.ts'
import {aboutVolume, failWith, type GeneratorOptions, tell} from './operation-generator.ts'
import type {Operation} from './pending-operations.ts'
import {uncertainProgress} from './progress-error.ts'
import type {VolumeSpec} from './volume-spec.ts'

export interface BlockOperations {
  /** What is known of the volume is written at once, whether the operation may begin or not. */
  mapVolume(name: string, spec: VolumeSpec, pod: Pod): Promise<Operation>
  /** @throws when what is known of the volume cannot be read */
  unmapVolume(name: string, pod: MountedPod): Promise<Operation>
  unmapDevice(volume: AttachedVolume): Promise<Operation>
}

export function blockOperations({
  host,
  actual,
  failedUndoIsUncertain,
  block,
}: GeneratorOptions & {readonly block: CsiBlock}): BlockOperations {
  const {profile, disk} = host
  const uncertain = uncertainProgress(profile)
  const stagedOnce = profile.switches.has('block-staged-once')
  const missingIsUnused = profile.switches.has('missing-map-is-unused')

  const refsOf = async (specName: string): Promise<readonly string[]> => {
    try {
      return await deviceBindMountRefs(disk, specName)
    } catch (error) {
      // Nothing was ever mapped: the device may be staged all the same.
      if (missingIsUnused && isMissing(error)) return []
      return failWith('UnmapDevice.GetDeviceBindMountRefs check failed', `directory cannot read ${textOf(error)}`)
    }
  }

  const map = async (spec: VolumeSpec, podUid: string, devicePath: string): Promise<void> => {
    if ((await disk.stat(devicePath)) === undefined)
      failWith('MapVolume.EvalHostSymlinks failed', `${devicePath}: no such file or directory`)
    await mapBlockVolume(disk, devicePath, spec.name, podUid).catch((error) => failWith('MapVolume.MapBlockVolume failed', error))
  }

  return {
    mapVolume: async (name, spec, pod) => {
      await block.prepare(spec).catch((error) => failWith('MapVolume.NewBlockVolumeMapper initialization failed', error))
      const about = aboutVolume(name, spec, podKey(pod))
      const {uid} = pod.metadata
      const mounted: MountedPod = {uid, pod: podKey(pod), spec}
      return {
        name: 'map_volume',
        about,
        run: async () => {
          if (!stagedOnce || actual.deviceState(name) !== 'DeviceGloballyMounted') {
            await block.setUpDevice(spec).catch((error) => {
              markDeviceErrorState(host, actual, name, error)
              failWith('MapVolume.SetUpDevice failed', error)
            })
          }
          actual.setDevice(name, 'DeviceGloballyMounted')
          const devicePath = await block.mapPodDevice(spec, uid).catch((error) => {
            markVolumeErrorState(host, actual, name, mounted, error)
            failWith('MapVolume.MapPodDevice failed', error)
          })
          await map(spec, uid, devicePath).catch((error) => {
            // It is published, whatever failed then.
            markVolumeErrorState(host, actual, name, mounted, uncertain(textOf(error)))
            throw error
          })
          tell(host, 'MapVolume.MapPodDevice succeeded', about)
          actual.setMount(name, mounted, 'VolumeMounted')
        },
      }
    },

    unmapVolume: async (name, pod) => {
      const {spec, uid} = pod
      const volume = await block.load(spec.name).catch((error) => failWith('UnmapVolume.NewUnmapper failed', error))
      const about = aboutVolume(name, spec, pod.pod)
      return {
        name: 'unmap_volume',
        about,
        run: async () => {
          if (failedUndoIsUncertain) actual.setMount(name, pod, 'VolumeMountUncertain')
          await unmapBlockVolume(disk, spec.name, uid).catch((error) => failWith('UnmapVolume.UnmapBlockVolume failed', error))
          await block.unmapPodDevice(volume, spec.name, uid).catch((error) => failWith('UnmapVolume.UnmapPodDevice failed', error))
          tell(host, 'UnmapVolume succeeded', about)
          actual.unmounted(name, uid)
        },
      }
    },

    unmapDevice: async ({name, spec}) => {
      const volume = await block.load(spec.name).catch((error) => failWith('UnmapDevice.NewUnmapper failed', error))
      const about = aboutVolume(name, spec)
      return {
        name: 'unmap_device',
        about,
        run: async () => {
          const refs = await refsOf(spec.name)
          if (refs.length > 0) failWith('UnmapDevice failed', `the device is still referenced from other Pods ${refs.join(' ')}`)
          if (failedUndoIsUncertain) actual.setDevice(name, 'DeviceMountUncertain')
          await block.tearDownDevice(volume, spec.name).catch((error) => failWith('UnmapDevice.TearDownDevice failed', error))
          await disk.removeAll(blockPaths.dev(spec.name)).catch((error) => failWith('UnmapDevice.RemoveMapPath failed', error))
          tell(host, 'UnmapDevice succeeded', about)
          actual.setDevice(name, 'DeviceNotMounted')
        },
      }
    },
  }
}
