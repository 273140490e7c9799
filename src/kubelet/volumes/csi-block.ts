// Stages and publishes a raw block volume, and undoes both. Upstream: volume/csi/csi_block.go

import {volumeRecord} from '../traces/vol-record.ts'
import {type CsiHost, textOf} from './csi-host.ts'
import {blockPaths} from './csi-paths.ts'
import {type LoadedVolume, loadVolumeData, remove, saveVolumeData} from './disk-steps.ts'
import {isOperationFinished} from './progress-error.ts'
import type {VolumeSpec} from './volume-spec.ts'

export interface CsiBlock {
  /** Before any call. Upstream: NewBlockVolumeMapper */
  prepare(spec: VolumeSpec): Promise<void>
  setUpDevice(spec: VolumeSpec): Promise<void>
  /** @returns where the device is */
  mapPodDevice(spec: VolumeSpec, podUid: string): Promise<string>
  /** Upstream: NewBlockVolumeUnmapper, which reads what is known of the volume */
  load(specName: string): Promise<LoadedVolume>
  unmapPodDevice(volume: LoadedVolume, specName: string, podUid: string): Promise<void>
  tearDownDevice(volume: LoadedVolume, specName: string): Promise<void>
}

export function csiBlock({profile, disk, clients, nodeName, log}: CsiHost): CsiBlock {
  const alwaysUnpublished = profile.switches.has('unpublished-always')
  const orphansRemoved = profile.switches.has('orphan-device-files-removed')

  /** Nobody uses the volume any more: what is left of it here is in the way of nothing. Upstream: cleanupOrphanDeviceFiles */
  const cleanUp = async (specName: string): Promise<void> => {
    if (!orphansRemoved) return
    try {
      await remove(disk, blockPaths.publish(specName))
      await remove(disk, blockPaths.staging(specName))
      await disk.removeAll(blockPaths.volume(specName))
    } catch (error) {
      log({text: 'Failed to clean up block volume directory', fields: {volume: specName, err: textOf(error)}})
    }
  }

  return {
    prepare: ({name, driver, handle}) =>
      saveVolumeData(disk, blockPaths.data(name), volumeRecord('block', {driver, handle, specName: name, node: nodeName})),

    setUpDevice: async ({name, driver, handle, use}) => {
      const context = clients.context()
      const client = clients.get(driver)
      try {
        const stages = await client.supports(context, 'STAGE_UNSTAGE_VOLUME').catch((error) => {
          // As text: whatever it was, it counts as an answer (kubernetes/kubernetes#135929, which mends it for filesystems alone).
          throw new Error(`blockMapper.stageVolumeForBlock failed to check STAGE_UNSTAGE_VOLUME capability: ${textOf(error)}`)
        })
        if (!stages) return log({text: 'blockMapper.stageVolumeForBlock STAGE_UNSTAGE_VOLUME capability not set', fields: {driver}})
        await disk.mkdirAll(blockPaths.staging(name))
        await client.stage(context, {volumeId: handle, stagingTargetPath: blockPaths.staging(name), volumeMode: 'Block', ...use})
      } catch (error) {
        if (isOperationFinished(error)) await cleanUp(name)
        throw error
      }
    },

    mapPodDevice: async ({name, driver, handle, use}, podUid) => {
      const client = clients.get(driver)
      const target = blockPaths.publishPath(name, podUid)
      await disk.mkdirAll(blockPaths.publish(name))
      await client.publish(clients.context(), {
        volumeId: handle,
        stagingTargetPath: blockPaths.staging(name),
        targetPath: target,
        volumeMode: 'Block',
        readonly: false,
        ...use,
      })
      return target
    },

    load: (specName) => loadVolumeData(disk, blockPaths.data(specName)),

    unmapPodDevice: async ({driver, handle}, specName, podUid) => {
      const client = clients.get(driver)
      const target = blockPaths.publishPath(specName, podUid)
      // A publish that timed out may make it later.
      if (!alwaysUnpublished && (await disk.stat(target)) === undefined) {
        return log({
          text: 'blockMapper.UnmapPodDevice publishPath has already been deleted, skip calling NodeUnpublishVolume',
          fields: {volume: specName},
        })
      }
      await client.unpublish(clients.context(), {volumeId: handle, targetPath: target}).catch((error) => {
        throw new Error(`blockMapper.unpublishVolumeForBlock failed: ${textOf(error)}`)
      })
    },

    tearDownDevice: async ({driver, handle}, specName) => {
      const context = clients.context()
      const client = clients.get(driver)
      const staging = blockPaths.staging(specName)
      // Still so (kubernetes/kubernetes#129825).
      if ((await disk.stat(staging)) === undefined) {
        log({
          text: 'blockMapper.TearDownDevice stagingPath has already been deleted, skip calling NodeUnstageVolume',
          fields: {volume: specName},
        })
      } else {
        const stages = await client.supports(context, 'STAGE_UNSTAGE_VOLUME').catch((error) => {
          throw new Error(`blockMapper.unstageVolumeForBlock failed to check STAGE_UNSTAGE_VOLUME capability: ${textOf(error)}`)
        })
        if (stages) {
          await client.unstage(context, {volumeId: handle, stagingTargetPath: staging}).catch((error) => {
            throw new Error(`blockMapper.unstageVolumeForBlock failed: ${textOf(error)}`)
          })
          await disk.removeAll(staging)
        }
      }
      await cleanUp(specName)
    },
  }
}
