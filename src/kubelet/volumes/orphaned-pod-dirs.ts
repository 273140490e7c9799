// Removes the directories of pods that are gone. Upstream: kubelet_volumes.go, cleanupOrphanedPodDirs
import type {Disk} from '../disk.ts'
import type {Known} from '../pod-manager.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import {textOf} from './csi-host.ts'
import {podDir, podsDir, podVolumesDir} from './csi-paths.ts'
import {namesIn, type PodVolumePaths} from './pod-volumes-on-disk.ts'

export interface OrphanedPodDirsOptions {
  readonly profile: Profile
  readonly disk: Disk
  readonly podVolumePaths: PodVolumePaths
  readonly podVolumesExist: (uid: string) => boolean | Promise<boolean>
  readonly log: KubeletPorts['log']
  readonly signal: AbortSignal
}

/** @param isKnown whether the API server or the runtime has the pod; asked only when there are directories */
export function orphanedPodDirs(options: OrphanedPodDirsOptions): (isKnown: () => Promise<Known>) => Promise<void> {
  const {profile, disk, podVolumePaths, podVolumesExist, log, signal} = options
  const targetsRemoved = profile.switches.has('orphan-targets-removed')
  const emptied = profile.switches.has('orphans-emptied')

  /** @throws at what is in the way */
  const removeVolumes = async (uid: string): Promise<void> => {
    const paths = await podVolumePaths.paths(uid)
    if (!targetsRemoved && paths.length > 0) throw new Error('volume paths are still present on disk')
    let first: unknown
    for (const path of paths) {
      await disk.rmdir(path).catch((error) => {
        first ??= new Error(`failed to rmdir() volume at path ${path}: ${textOf(error)}`)
      })
    }
    if (emptied) {
      await removeDirs(disk, podVolumesDir(uid)).catch((error) => {
        first ??= new Error(`error occurred when trying to remove the volumes dir: ${textOf(error)}`)
      })
    }
    if (first !== undefined) throw first
  }

  const removeOrphan = async (uid: string): Promise<void> => {
    if (await podVolumesExist(uid)) return log({text: 'Orphaned pod found, but volumes are not cleaned up', fields: {uid}})
    await removeVolumes(uid)
    await disk.removeAll(podDir(uid))
    log({text: 'Orphaned pod found, removing', fields: {uid}})
  }

  return async (isKnown) => {
    const found = await namesIn(disk, podsDir)
    if (found.length === 0) return
    const known = await isKnown()
    const errors: string[] = []
    for (const uid of found) {
      if (known.has(uid)) continue
      await removeOrphan(uid).catch((error) => {
        signal.throwIfAborted()
        errors.push(`orphaned pod "${uid}" found, but ${textOf(error)}`)
      })
    }
    // One stands for all of them.
    if (errors.length > 0) {
      log({text: 'There were many similar errors. Turn up verbosity to see them.', fields: {err: errors[0], numErrs: errors.length}})
    }
  }
}

/** Directories alone: a file that somebody left is nothing to throw away. Upstream: removeall.RemoveDirsOneFilesystem */
async function removeDirs(disk: Disk, path: string): Promise<void> {
  if ((await disk.stat(path)) === undefined) return
  for (const name of await namesIn(disk, path)) await removeDirs(disk, `${path}/${name}`)
  await disk.rmdir(path)
}
