// Stages a filesystem volume and undoes it. Upstream: volume/csi/csi_attacher.go

import {volumeRecord} from '../traces/vol-record.ts'
import {alreadyMounted, type CsiHost, textOf} from './csi-host.ts'
import {parentOf} from './csi-paths.ts'
import {isMissing, loadVolumeData, removeMountDir, saveVolumeData} from './disk-steps.ts'
import {isOperationFinished, TransientOperationFailure} from './progress-error.ts'
import type {VolumeSpec} from './volume-spec.ts'

export interface CsiAttacher {
  mountDevice(spec: VolumeSpec, path: string): Promise<void>
  unmountDevice(spec: VolumeSpec, path: string): Promise<void>
}

export function csiAttacher(host: CsiHost): CsiAttacher {
  const {profile, disk, clients, nodeName, log} = host
  const isStaged = alreadyMounted(host)
  const goneIsDone = profile.switches.has('stage-json-gone-is-done')
  const dataToStageOnly = profile.switches.has('data-to-stage-only')
  const askedFirst = profile.switches.has('capability-asked-first')

  /** Whoever undoes it later must know whose it is. */
  const volumeToUndo = async (spec: VolumeSpec, path: string): Promise<{driver: string; handle: string} | undefined> => {
    try {
      return await loadVolumeData(disk, parentOf(path))
    } catch (error) {
      // The persistent volume was asked for at the API server; that it may be gone there is not modelled.
      if (!goneIsDone) return spec
      if (!isMissing(error)) throw error
      log({text: 'attacher.UnmountDevice skipped because volume data file does not exist', fields: {volume: spec.name}})
      return undefined
    }
  }

  return {
    mountDevice: async (spec, path) => {
      if (await isStaged(path)) return log({text: 'attacher.MountDevice skipping mount, dir already mounted', fields: {path}})
      const {driver, handle, name: specName, use} = spec
      const save = () => saveVolumeData(disk, parentOf(path), volumeRecord('staging', {driver, handle, specName, node: nodeName}))
      let made = false
      const make = async (): Promise<void> => {
        await disk.mkdirAll(path)
        if (!dataToStageOnly) await save()
        made = true
      }
      const stage = async (): Promise<void> => {
        const client = clients.get(driver)
        const context = clients.context()
        const stages = await client.supports(context, 'STAGE_UNSTAGE_VOLUME')
        if (askedFirst) await make()
        if (!stages)
          return log({text: 'attacher.MountDevice STAGE_UNSTAGE_VOLUME capability not set. Skipping MountDevice', fields: {driver}})
        await client.askForMountGroup(context).catch((error) => {
          throw new TransientOperationFailure(`failed to determine if the node service has VOLUME_MOUNT_GROUP capability: ${textOf(error)}`)
        })
        if (dataToStageOnly) await save()
        await client.stage(context, {volumeId: handle, stagingTargetPath: path, volumeMode: 'Filesystem', ...use})
      }
      if (!askedFirst) await make()
      try {
        await stage()
      } catch (error) {
        // What an earlier try has made stays when this one fails before.
        if (made && isOperationFinished(error)) await removeMountDir(disk, path)
        throw error
      }
    },

    unmountDevice: async (spec, path) => {
      const volume = await volumeToUndo(spec, path)
      if (volume === undefined) return
      const client = clients.get(volume.driver)
      const context = clients.context()
      const stages = await client.supports(context, 'STAGE_UNSTAGE_VOLUME').catch((error) => {
        throw new Error(`attacher.UnmountDevice failed to check whether STAGE_UNSTAGE_VOLUME set: ${textOf(error)}`)
      })
      if (stages) {
        await client.unstage(context, {volumeId: volume.handle, stagingTargetPath: path}).catch((error) => {
          throw new Error(`attacher.UnmountDevice failed: ${textOf(error)}`)
        })
      }
      await removeMountDir(disk, path)
    },
  }
}
