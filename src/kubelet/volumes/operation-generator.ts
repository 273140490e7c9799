// Staging and publishing of filesystem volumes as operations, and their undoing. Upstream: volume/util/operationexecutor/operation_generator.go
import {type Pod, podKey} from '../pod.ts'
import type {ActualWorld, AttachedVolume, MountedPod} from './actual-world.ts'
import type {CsiAttacher} from './csi-attacher.ts'
import {type CsiHost, textOf} from './csi-host.ts'
import type {CsiMounter} from './csi-mounter.ts'
import {deviceMountPath} from './csi-paths.ts'
import {markDeviceErrorState, markVolumeErrorState} from './error-state.ts'
import type {Operation} from './pending-operations.ts'
import type {VolumeSpec} from './volume-spec.ts'

export interface GeneratorOptions {
  readonly host: CsiHost
  readonly actual: ActualWorld
  /** What is known of a volume that could not be undone is in doubt. Upstream: kubernetes/kubernetes#100183 */
  readonly failedUndoIsUncertain: boolean
}

/** What the operations' lines tell of a volume, and of the pod that they are for. */
export const aboutVolume = (name: string, spec: VolumeSpec, pod?: string): Readonly<Record<string, string>> => ({
  volume: spec.name,
  uniqueName: name,
  ...(pod !== undefined && {pod}),
})

/** @throws it with what failed before its text: an operation's error has no class any more */
export function failWith(what: string, error: unknown): never {
  throw new Error(`${what}: ${textOf(error)}`)
}

/** A line that an operation writes. */
export function tell({log}: CsiHost, text: string, {pod, ...fields}: Readonly<Record<string, string>>): void {
  log({text, ...(pod !== undefined && {pod}), fields})
}

export interface FilesystemOperations {
  mountVolume(name: string, spec: VolumeSpec, pod: Pod): Operation
  /** @throws when what is known of the volume cannot be read */
  unmountVolume(name: string, pod: MountedPod): Promise<Operation>
  unmountDevice(volume: AttachedVolume): Operation
}

export interface FilesystemOptions extends GeneratorOptions {
  readonly attacher: CsiAttacher
  readonly mounter: CsiMounter
}

export function filesystemOperations(options: FilesystemOptions): FilesystemOperations {
  const {host, actual, attacher, mounter, failedUndoIsUncertain} = options
  const {profile, disk} = host
  const stagingPathOf = deviceMountPath(profile)
  const stagedOnce = profile.switches.has('stage-once')

  const stage = async (name: string, spec: VolumeSpec, about: Readonly<Record<string, string>>): Promise<void> => {
    if (spec.ephemeral || (stagedOnce && actual.deviceState(name) === 'DeviceGloballyMounted')) return
    try {
      await attacher.mountDevice(spec, stagingPathOf(spec))
    } catch (error) {
      markDeviceErrorState(host, actual, name, error)
      failWith('MountVolume.MountDevice failed', error)
    }
    tell(host, 'MountVolume.MountDevice succeeded', about)
    actual.setDevice(name, 'DeviceGloballyMounted')
  }

  return {
    mountVolume: (name, spec, pod) => {
      const about = aboutVolume(name, spec, podKey(pod))
      const {uid} = pod.metadata
      const mounted: MountedPod = {uid, pod: podKey(pod), spec}
      return {
        name: 'volume_mount',
        about,
        run: async () => {
          await mounter.prepare(spec, uid).catch((error) => failWith('MountVolume.NewMounter initialization failed', error))
          await stage(name, spec, about)
          try {
            await mounter.setUp(spec, uid, actual.isReconstructedKept(name, uid))
          } catch (error) {
            markVolumeErrorState(host, actual, name, mounted, error)
            failWith('MountVolume.SetUp failed', error)
          }
          tell(host, 'MountVolume.SetUp succeeded', about)
          actual.setMount(name, mounted, 'VolumeMounted')
        },
      }
    },

    unmountVolume: async (name, pod) => {
      const about = aboutVolume(name, pod.spec, pod.pod)
      const tearDown = await mounter
        .unmounter(pod.uid, pod.spec.name)
        .catch((error) => failWith('UnmountVolume.NewUnmounter failed', error))
      return {
        name: 'volume_unmount',
        about,
        run: async () => {
          try {
            await tearDown()
          } catch (error) {
            // One that was never known is not known now.
            if (failedUndoIsUncertain && actual.get(name) !== undefined) actual.setMount(name, pod, 'VolumeMountUncertain')
            failWith('UnmountVolume.TearDown failed', error)
          }
          tell(host, 'UnmountVolume.TearDown succeeded', about)
          actual.unmounted(name, pod.uid)
        },
      }
    },

    unmountDevice: ({name, spec}) => {
      const about = aboutVolume(name, spec)
      const path = stagingPathOf(spec)
      return {
        name: 'unmount_device',
        about,
        run: async () => {
          const all = (await disk.stat(path)) === undefined ? [] : await disk.mountRefs(path)
          // Upstream: HasMountRefs
          const refs = all.filter((ref) => !ref.includes(path))
          if (refs.length > 0) {
            failWith('GetDeviceMountRefs check failed', `the device mount path is still mounted by other references ${refs.join(' ')}`)
          }
          try {
            await attacher.unmountDevice(spec, path)
          } catch (error) {
            if (failedUndoIsUncertain) actual.setDevice(name, 'DeviceMountUncertain')
            failWith('UnmountDevice failed', error)
          }
          tell(host, 'UnmountDevice succeeded', about)
          actual.setDevice(name, 'DeviceNotMounted')
        },
      }
    },
  }
}
