// Brings what is there nearer to what is to be there, ten times a second. Upstream: volumemanager/reconciler/reconciler_common.go
import {podKey} from '../pod.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import type {ActualWorld, AttachedVolume, MountedPod} from './actual-world.ts'
import {textOf} from './csi-host.ts'
import type {DesiredWorld, VolumeToMount} from './desired-world.ts'
import type {BlockOperations} from './map-operations.ts'
import {aboutVolume, type FilesystemOperations} from './operation-generator.ts'
import {anyPod, type Operation, type PendingOperations} from './pending-operations.ts'

export interface ReconcilerOptions {
  readonly profile: Profile
  readonly desired: DesiredWorld
  readonly actual: ActualWorld
  readonly pending: PendingOperations
  readonly filesystem: FilesystemOperations
  readonly block: BlockOperations
  readonly log: KubeletPorts['log']
  readonly signal: AbortSignal
}

export interface Reconciler {
  unmountVolumes(): Promise<void>
  mountOrAttachVolumes(): Promise<void>
  unmountDetachDevices(): Promise<void>
  /** Of a volume that the actual world does not know. */
  unmountUnknown(pod: MountedPod): Promise<void>
}

export function reconciler({profile, desired, actual, pending, filesystem, block, log, signal}: ReconcilerOptions): Reconciler {
  const askedFirst = profile.switches.has('pending-asked-first')
  const isLeftAlone = (volumeName: string, podName: string): boolean => askedFirst && pending.isPending(volumeName, podName)

  interface Start {
    readonly what: 'UnmountVolume' | 'MountVolume' | 'UnmountDevice' | 'VerifyControllerAttachedVolume'
    readonly volumeName: string
    readonly podName: string
    readonly about: Readonly<Record<string, string>>
    readonly generate: () => Operation | Promise<Operation>
  }

  /** What making it does to the disk is done even when the one before it is still to be waited for. */
  const start = async ({what, volumeName, podName, about, generate}: Start): Promise<void> => {
    const {pod, ...fields} = about
    const named = {...(pod !== undefined && {pod}), fields}
    try {
      const wasPending = pending.isPending(volumeName, podName)
      const operation = await generate()
      // Upstream making it takes no time, and nothing ends meanwhile. Here it would undo once more what has just been undone.
      if (wasPending && !pending.isPending(volumeName, podName)) return
      if (pending.run(volumeName, podName, operation) === 'started') log({text: `operationExecutor.${what} started`, ...named})
    } catch (error) {
      signal.throwIfAborted()
      log({text: `operationExecutor.${what} failed`, ...named, fields: {...fields, err: textOf(error)}})
    }
  }

  const unmount = (volumeName: string, pod: MountedPod): Promise<void> => {
    const operations = pod.spec.mode === 'Block' ? block.unmapVolume : filesystem.unmountVolume
    const about = aboutVolume(volumeName, pod.spec, pod.pod)
    return start({what: 'UnmountVolume', volumeName, podName: pod.uid, about, generate: () => operations(volumeName, pod)})
  }

  const mountOrAttach = async ({volumeName, pod, spec}: VolumeToMount): Promise<void> => {
    const {uid} = pod.metadata
    const common = {volumeName, podName: spec.ephemeral ? uid : anyPod, about: aboutVolume(volumeName, spec, podKey(pod))}
    if (actual.get(volumeName) === undefined) {
      // Whoever attaches has always done so already.
      const run = async () => actual.attached(volumeName, spec)
      const generate = (): Operation => ({name: 'verify_controller_attached_volume', about: common.about, run})
      return start({...common, what: 'VerifyControllerAttachedVolume', generate})
    }
    const operations = spec.mode === 'Block' ? block.mapVolume : filesystem.mountVolume
    await start({...common, what: 'MountVolume', generate: () => operations(volumeName, spec, pod)})
  }

  const unmountOrDetach = async (volume: AttachedVolume): Promise<void> => {
    const {name, spec, device} = volume
    const about = aboutVolume(name, spec)
    if (device !== 'DeviceNotMounted') {
      const operations = spec.mode === 'Block' ? block.unmapDevice : filesystem.unmountDevice
      return start({what: 'UnmountDevice', volumeName: name, podName: anyPod, about, generate: () => operations(volume)})
    }
    actual.detached(name)
    log({text: 'Volume detached', fields: about})
  }

  return {
    // Before mounting, so that a volume leaves one pod before it comes to another.
    unmountVolumes: async () => {
      for (const {name, pods} of actual.all()) {
        for (const {pod} of pods.values()) {
          if (!desired.hasPod(name, pod.uid) && !isLeftAlone(name, pod.uid)) await unmount(name, pod)
        }
      }
    },
    mountOrAttachVolumes: async () => {
      for (const each of desired.all()) {
        // One that is uncertain is mounted once more.
        if (actual.mountState(each.volumeName, each.pod.metadata.uid) === 'VolumeMounted') continue
        if (!isLeftAlone(each.volumeName, anyPod)) await mountOrAttach(each)
      }
    },
    unmountDetachDevices: async () => {
      for (const volume of actual.all()) {
        const {name, pods} = volume
        if (pods.size === 0 && !desired.has(name) && !pending.isPending(name, anyPod)) await unmountOrDetach(volume)
      }
    },
    unmountUnknown: (pod) => unmount(pod.spec.name, pod),
  }
}
