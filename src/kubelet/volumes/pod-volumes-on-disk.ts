// What lies in a pod's directory. Upstream: kubelet_getters.go, getPodVolumePathListFromDisk, getMountedVolumePathListFromDisk
import {csiEscaped} from '../../node/layout.ts'
import type {Disk} from '../disk.ts'
import type {Profile} from '../profiles.ts'
import {podDevicesDir, podsDir, podVolumesDir} from './csi-paths.ts'
import {isMounted} from './disk-steps.ts'

/** An entry of a pod's directory. */
export interface PodVolume {
  readonly podUid: string
  readonly specName: string
  readonly mode: 'Filesystem' | 'Block'
  readonly path: string
}

/** Names in a directory; none when it is not there. */
export async function namesIn(disk: Disk, path: string): Promise<readonly string[]> {
  return (await disk.stat(path)) === 'directory' ? disk.readDir(path) : []
}

/** Of all pods. Upstream: getVolumesFromPodDir */
export async function volumesFromPodDirs(disk: Disk): Promise<readonly PodVolume[]> {
  const found: PodVolume[] = []
  for (const podUid of await namesIn(disk, podsDir)) {
    for (const [mode, folder] of [
      ['Filesystem', podVolumesDir(podUid)],
      ['Block', podDevicesDir(podUid)],
    ] as const) {
      const names = await namesIn(disk, `${folder}/${csiEscaped}`)
      for (const specName of names) found.push({podUid, specName, mode, path: `${folder}/${csiEscaped}/${specName}`})
    }
  }
  return found
}

export interface PodVolumePaths {
  /** Where volumes of the pod are published, as far as this kubelet looks. */
  paths(podUid: string): Promise<readonly string[]>
  anyMounted(podUid: string): Promise<boolean>
}

export function podVolumePaths(profile: Profile, disk: Disk): PodVolumePaths {
  // The target lies one level deeper than where it was looked for.
  const targetChecked = profile.switches.has('csi-mount-subdir-checked')
  const paths = async (podUid: string): Promise<readonly string[]> => {
    const found: string[] = []
    for (const plugin of await namesIn(disk, podVolumesDir(podUid))) {
      const folder = `${podVolumesDir(podUid)}/${plugin}`
      for (const name of await namesIn(disk, folder)) {
        const target = `${folder}/${name}/mount`
        if (!targetChecked || plugin !== csiEscaped) found.push(`${folder}/${name}`)
        else if ((await disk.stat(target)) !== undefined) found.push(target)
      }
    }
    return found
  }
  return {
    paths,
    anyMounted: async (podUid) => {
      for (const path of await paths(podUid)) if (await isMounted(disk, path)) return true
      return false
    },
  }
}
