// What a container gets of its pod's volumes. Upstream: kubelet_pods.go, makeMounts, makeBlockVolumes
//
// /etc/hosts and the termination log are the business of who serves the runtime: they are not modelled.
import type {CriDevice, CriMount} from '../cri.ts'
import type {Container} from '../pod.ts'
import {devicePathOf, targetPath} from '../volumes/csi-paths.ts'
import type {VolumeSpec} from '../volumes/volume-spec.ts'

/** By their names in the pod. */
export type MountedVolumes = ReadonlyMap<string, VolumeSpec>

/** @throws when a volume is not there */
export function makeMounts(podUid: string, {name: container, volumeMounts = []}: Container, volumes: MountedVolumes): readonly CriMount[] {
  return volumeMounts.map(({name, mountPath, readOnly = false}) => {
    const volume = volumes.get(name)
    if (volume?.mode !== 'Filesystem') throw new Error(`cannot find volume "${name}" to mount into container "${container}"`)
    return {containerPath: mountPath, hostPath: targetPath(podUid, volume.name), readonly: readOnly}
  })
}

/** @throws when a volume is not there */
export function makeBlockVolumes(
  podUid: string,
  {name: container, volumeDevices = []}: Container,
  volumes: MountedVolumes,
): readonly CriDevice[] {
  return volumeDevices.map(({name, devicePath}) => {
    const volume = volumes.get(name)
    if (volume?.mode !== 'Block') throw new Error(`cannot find volume "${name}" to pass into container "${container}"`)
    // The pod's link, which the runtime follows.
    return {containerPath: devicePath, hostPath: devicePathOf(podUid, volume.name), permissions: 'mrw'}
  })
}
