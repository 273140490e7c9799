// Publishes a filesystem volume for a pod and undoes it. Upstream: volume/csi/csi_mounter.go

import {volumeRecord} from '../traces/vol-record.ts'
import {alreadyMounted, type CsiHost, textOf} from './csi-host.ts'
import {deviceMountPath, parentOf, podVolume, targetPath} from './csi-paths.ts'
import {type LoadedVolume, loadVolumeData, removeMountDir, saveVolumeData} from './disk-steps.ts'
import {isOperationFinished, TransientOperationFailure} from './progress-error.ts'
import type {VolumeSpec} from './volume-spec.ts'

export interface CsiMounter {
  /** Upstream: NewMounter */
  prepare(spec: VolumeSpec, podUid: string): Promise<void>
  /** @param kept what an earlier kubelet left there is not removed when it fails */
  setUp(spec: VolumeSpec, podUid: string, kept: boolean): Promise<void>
  /** What is known of the volume is read at once, before anything is begun. Upstream: NewUnmounter @returns what tears it down */
  unmounter(podUid: string, specName: string): Promise<() => Promise<void>>
}

export function csiMounter(host: CsiHost): CsiMounter {
  const {profile, disk, clients, nodeName, log} = host
  const isPublished = alreadyMounted(host)
  const stagingPathOf = deviceMountPath(profile)
  const dataAtSetUp = profile.switches.has('pod-data-at-setup')
  const targetIsDrivers = profile.switches.has('target-made-by-driver')

  const save = ({name, driver, handle}: VolumeSpec, podUid: string) =>
    saveVolumeData(disk, podVolume(podUid, name), volumeRecord('pod', {driver, handle, specName: name, node: nodeName}))

  return {
    prepare: async (spec, podUid) => {
      if (!dataAtSetUp) await save(spec, podUid)
    },

    setUp: async (spec, podUid, kept) => {
      const {name, driver, handle, ephemeral, use} = spec
      const target = targetPath(podUid, name)
      if (await isPublished(target)) return log({text: 'mounter.SetUpAt skipping mount, dir already mounted', fields: {volume: name}})
      const client = transient(() => clients.get(driver))
      const context = clients.context()
      const staged =
        !ephemeral &&
        (await client.supports(context, 'STAGE_UNSTAGE_VOLUME').catch((error) => {
          throw new Error(`mounter.SetUpAt failed to check for STAGE_UNSTAGE_VOLUME capability: ${textOf(error)}`)
        }))
      await disk.mkdirAll(targetIsDrivers ? parentOf(target) : target)
      await client.askForMountGroup(context).catch((error) => {
        throw new TransientOperationFailure(`failed to determine if the node service has VOLUME_MOUNT_GROUP capability: ${textOf(error)}`)
      })
      if (dataAtSetUp) await save(spec, podUid)
      try {
        await client.publish(context, {
          volumeId: handle,
          ...(staged && {stagingTargetPath: stagingPathOf(spec)}),
          targetPath: target,
          volumeMode: 'Filesystem',
          readonly: false,
          ...use,
        })
      } catch (error) {
        if (isOperationFinished(error) && !kept) await removeMountDir(disk, target)
        throw error
      }
    },

    unmounter: async (podUid, specName) => {
      const volume = await loadVolumeData(disk, podVolume(podUid, specName))
      return () => tearDown(volume, targetPath(podUid, specName))
    },
  }

  async function tearDown({driver, handle}: LoadedVolume, target: string): Promise<void> {
    const client = clients.get(driver)
    await client.unpublish(clients.context(), {volumeId: handle, targetPath: target}).catch((error) => {
      throw new Error(`Unmounter.TearDownAt failed: ${textOf(error)}`)
    })
    await removeMountDir(disk, target)
  }
}

function transient<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw new TransientOperationFailure(`mounter.SetUpAt failed to get CSI client: ${textOf(error)}`)
  }
}
