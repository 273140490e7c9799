// What a kubelet that starts makes of the pods' directories. Upstream: volumemanager/reconciler/reconstruct.go, reconstruct_common.go
import type {Profile} from '../profiles.ts'
import type {ActualWorld, MountedPod} from './actual-world.ts'
import type {CsiBlock} from './csi-block.ts'
import {type CsiHost, textOf} from './csi-host.ts'
import type {CsiMounter} from './csi-mounter.ts'
import {blockPaths, targetPath} from './csi-paths.ts'
import type {DesiredWorld} from './desired-world.ts'
import {isMounted, loadVolumeData} from './disk-steps.ts'
import {anyPod, type PendingOperations} from './pending-operations.ts'
import {type PodVolume, volumesFromPodDirs} from './pod-volumes-on-disk.ts'
import type {Reconciler} from './reconciler.ts'
import {inlineSpec, uniqueNameOf, type VolumeSpec} from './volume-spec.ts'

export interface ReconstructOptions {
  readonly profile: Profile
  readonly host: CsiHost
  readonly mounter: CsiMounter
  readonly block: CsiBlock
  readonly desired: DesiredWorld
  readonly actual: ActualWorld
  readonly pending: PendingOperations
  readonly reconciler: Reconciler
  readonly signal: AbortSignal
}

export interface Reconstruction {
  /** Before the first round. */
  atStart(): Promise<void>
  /** Whether what is there may be undone yet. */
  mayUnmount(populated: boolean): boolean
  /** After each round. */
  afterRound(populated: boolean): Promise<void>
  /** All that there was to do has been done. */
  isOver(): boolean
}

interface Found {
  readonly name: string
  readonly pod: MountedPod
}

/** @throws when the volume's data cannot be read */
async function reconstruct({host, mounter, block}: ReconstructOptions, {podUid, specName, mode, path}: PodVolume): Promise<Found> {
  const {driver, handle, data} = await loadVolumeData(host.disk, mode === 'Block' ? blockPaths.data(specName) : path)
  const name = data.specVolID ?? ''
  const spec: VolumeSpec =
    data.volumeLifecycleMode === 'Ephemeral' ? inlineSpec(podUid, name, driver) : {name, driver, handle, mode, ephemeral: false}
  if (mode === 'Block') await block.prepare(spec)
  else await mounter.prepare(spec, podUid)
  return {name: uniqueNameOf(spec, podUid), pod: {uid: podUid, spec}}
}

const unknown = ({podUid, specName}: PodVolume): MountedPod => ({
  uid: podUid,
  // A volume of which nothing is known counts as a filesystem.
  spec: {name: specName, driver: '', handle: '', mode: 'Filesystem', ephemeral: false},
})

const told = ({podUid, specName}: PodVolume) => ({podUid, volume: specName})

/** From 1.28 on: all that is found is uncertain, before anything else is done. */
export function reconstructUncertain(options: ReconstructOptions): Reconstruction {
  const {host, desired, actual, reconciler} = options
  const {disk, log} = host
  let failed: PodVolume[] = []
  // Where the devices are, the node's object says: that it always answers is not modelled otherwise.
  let awaitsNode = false
  let over = false
  return {
    atStart: async () => {
      for (const volume of await volumesFromPodDirs(disk)) {
        try {
          const {name, pod} = await reconstruct(options, volume)
          actual.attached(name, pod.spec)
          actual.foundUncertain(name, pod)
          if (!pod.spec.ephemeral) actual.setDevice(name, 'DeviceMountUncertain')
          awaitsNode = true
        } catch (error) {
          options.signal.throwIfAborted()
          log({text: 'Could not construct volume information', fields: {...told(volume), err: textOf(error)}})
          failed.push(volume)
        }
      }
      over = failed.length === 0 && !awaitsNode
      if (!over) log({text: 'Volume reconstruction finished'})
    },
    mayUnmount: (populated) => populated && !awaitsNode,
    afterRound: async (populated) => {
      if (populated && !awaitsNode) {
        const once = failed
        failed = []
        for (const volume of once) {
          if (desired.hasSpecName(volume.podUid, volume.specName)) continue
          log({text: 'Cleaning up mounts for volume that could not be reconstructed', fields: told(volume)})
          await reconciler.unmountUnknown(unknown(volume))
        }
        over = true
      }
      awaitsNode = false
    },
    isOver: () => over,
  }
}

/** Up to 1.27: once, when all pods are known; what is mounted and nobody wants counts as mounted. Upstream: syncStates */
export function syncStates(options: ReconstructOptions): Reconstruction {
  const {profile, host, desired, actual, pending, reconciler} = options
  const {disk, log} = host
  const wantedToo = profile.switches.has('wanted-reconstructed')
  const skipped: Found[] = []
  let over = false

  /** Of what the pod still wants: when it could not be mounted anew, it may still be as it was. Upstream: processReconstructedVolumes */
  const takeSkipped = (): void => {
    for (const found of skipped.splice(0)) {
      if (actual.get(found.name) === undefined) skipped.push(found)
      else if (actual.foundUncertain(found.name, found.pod) && actual.deviceState(found.name) === 'DeviceNotMounted') {
        if (!found.pod.spec.ephemeral) actual.setDevice(found.name, 'DeviceMountUncertain')
      }
    }
  }

  const isThere = async ({podUid, specName, mode, path}: PodVolume, {spec}: MountedPod): Promise<boolean> => {
    if (mode === 'Block') return (await disk.stat(path)) === 'symlink'
    return spec.ephemeral || isMounted(disk, targetPath(podUid, specName))
  }

  const sync = async (volume: PodVolume): Promise<void> => {
    if (actual.hasSpecName(volume.podUid, volume.specName)) return
    const wanted = () => desired.hasSpecName(volume.podUid, volume.specName)
    try {
      const found = await reconstruct(options, volume)
      if (!(await isThere(volume, found.pod))) throw new Error(`volume "${found.name}" is not mounted`)
      if (wanted()) {
        if (wantedToo) skipped.push(found)
        return
      }
      if (pending.isPending(found.name, anyPod))
        log({text: 'Volume is in pending operation, skip cleaning up mounts', fields: told(volume)})
      actual.attached(found.name, found.pod.spec)
      actual.setMount(found.name, found.pod, 'VolumeMounted')
      if (!found.pod.spec.ephemeral) actual.setDevice(found.name, 'DeviceGloballyMounted')
    } catch (error) {
      options.signal.throwIfAborted()
      if (wanted()) return
      log({text: 'Could not construct volume information, cleanup the mounts', fields: {...told(volume), err: textOf(error)}})
      await reconciler.unmountUnknown(unknown(volume))
    }
  }

  return {
    atStart: async () => undefined,
    mayUnmount: () => true,
    afterRound: async (populated) => {
      takeSkipped()
      if (over || !populated) return
      over = true
      const volumes = await volumesFromPodDirs(disk)
      if (volumes.length > 0) log({text: 'Reconciler: start to sync state'})
      for (const volume of volumes) await sync(volume)
    },
    isOver: () => over && skipped.length === 0,
  }
}
