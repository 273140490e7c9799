// The volumes of a generated node: each healthy kind, and each kind of trouble that `check` knows.
import {blockDirs, csiPluginDir, podDeviceLink, podVolumeDir, stagingDir} from '../../src/node/layout.ts'
import type {NodeText, TextPod} from './node-text.ts'

export const drivers = ['block.example', 'files.example', 'inline.example'] as const

export const healthyKinds = ['filesystem', 'old-layout', 'block', 'inline', 'shared'] as const
export type HealthyKind = (typeof healthyKinds)[number]

/** Each with the code of what `check` must find. */
export const troubleCodes = {
  'stage-uncertain': 'U01',
  'dead-mount': 'V09',
  'device-gone': 'V09',
  'subpath-left': 'V10',
  'raw-block-left': 'V11',
} as const
export type TroubleKind = keyof typeof troubleCodes
export const troubleKinds = Object.keys(troubleCodes) as readonly TroubleKind[]

interface Volume {
  readonly spec: string
  readonly driver: string
  readonly handle: string
}

export function addHealthy(node: NodeText, kind: HealthyKind, pod: TextPod, index: number, second: TextPod | undefined): void {
  const volume = {spec: `pvc-${index}`, driver: 'block.example', handle: `vol-${index}`}
  if (kind === 'block') rawBlock(node, volume, pod)
  else if (kind === 'inline') inline(node, {...volume, driver: 'inline.example', handle: `csi-${index}`}, pod)
  else filesystem(node, volume, kind, kind === 'shared' && second?.uid !== pod.uid ? [pod, second] : [pod])
}

function filesystem(node: NodeText, volume: Volume, kind: HealthyKind, pods: readonly (TextPod | undefined)[]): void {
  const {device, name} = node.device()
  const of = {device, fsType: 'ext4', source: `/dev/${name}`}
  staged(node, volume, kind === 'old-layout' ? `${csiPluginDir}/pv/${volume.spec}` : stagingDir(volume.driver, volume.handle), of)
  for (const pod of pods) if (pod !== undefined) published(node, volume, pod, of)
}

export function addTrouble(node: NodeText, kind: TroubleKind, pod: TextPod, index: number): void {
  add[kind](node, {spec: `pvc-${index}`, driver: 'files.example', handle: `vol-${index}`}, pod)
}

const add: Readonly<Record<TroubleKind, (node: NodeText, volume: Volume, pod: TextPod) => void>> = {
  'stage-uncertain': stageUncertain,
  'dead-mount': (node, volume, pod) => {
    const of = {device: `0:9${volume.handle.slice(4)}`, fsType: 'fuse.files', source: volume.handle}
    published(node, volume, pod, of, {state: 'error', code: 'ENOTCONN'})
  },
  'device-gone': (node, volume, pod) => {
    const {device, name} = node.device(true)
    published(node, volume, pod, {device, fsType: 'ext4', source: `/dev/${name}`})
  },
  'subpath-left': (node) => {
    node.mount(`pods/${node.uid()}/volume-subpaths/data/app/0`, {device: '254:0', fsType: 'ext4', source: '/dev/vda', root: '/srv'})
  },
  'raw-block-left': leftBlock,
}

function stageUncertain(node: NodeText, volume: Volume): void {
  const waiting = node.pod(`waits-${volume.spec}`, 'limbo', 'waiting')
  claimed(node, volume, waiting)
  const folder = stagingDir(volume.driver, volume.handle)
  node.entry(`${folder}/globalmount`, 'directory')
  node.volData(`${folder}/vol_data.json`, {driverName: volume.driver, volumeHandle: volume.handle})
  naming(node, volume, waiting, 400)
  call(node, 400, 'NodeStageVolume', volume, `${node.root}/${folder}/globalmount`)
  const error = `MountVolume.MountDevice failed for volume "${volume.spec}" : rpc error: code = DeadlineExceeded desc = x`
  node.log(
    280,
    'nestedpendingoperations.go:348',
    `Operation for "{volumeName:${unique(volume)} podName: nodeName:}" failed. Error: ${error}`,
  )
}

type Filesystem = Parameters<NodeText['mount']>[1]

function staged(node: NodeText, volume: Volume, folder: string, of: Filesystem): void {
  node.mount(`${folder}/globalmount`, of)
  node.entry(`${folder}/globalmount`, 'directory')
  node.volData(`${folder}/vol_data.json`, {driverName: volume.driver, volumeHandle: volume.handle})
  call(node, 3600, 'NodeStageVolume', volume, `${node.root}/${folder}/globalmount`)
  node.log(
    3599,
    'csi_attacher.go:1',
    `kubernetes.io/csi: attacher.MountDevice successfully requested NodeStageVolume [${node.root}/${folder}/globalmount]`,
  )
}

function published(node: NodeText, volume: Volume, pod: TextPod, of: Filesystem, look?: object): void {
  const folder = podVolumeDir(pod.uid, volume.spec)
  claimed(node, volume, pod)
  node.mount(`${folder}/mount`, of, look)
  node.entry(`${folder}/mount`, 'directory', {device: of.device})
  node.volData(`${folder}/vol_data.json`, {...names(volume), volumeLifecycleMode: 'Persistent'})
  naming(node, volume, pod, 3598)
  call(node, 3598, 'NodePublishVolume', volume, `${node.root}/${folder}/mount`)
  node.log(3597, 'csi_mounter.go:1', `kubernetes.io/csi: mounter.SetUp successfully requested NodePublish [${node.root}/${folder}/mount]`)
}

function inline(node: NodeText, volume: Volume, pod: TextPod): void {
  const folder = podVolumeDir(pod.uid, volume.spec)
  node.claim(pod, {name: volume.spec, csi: {driver: volume.driver}})
  node.mount(`${folder}/mount`, {device: '0:99', fsType: 'tmpfs', source: 'tmpfs'})
  node.entry(`${folder}/mount`, 'directory')
  node.volData(`${folder}/vol_data.json`, {...names(volume), volumeLifecycleMode: 'Ephemeral'})
}

function rawBlock(node: NodeText, volume: Volume, pod: TextPod): void {
  const {device, name} = node.device()
  claimed(node, volume, pod)
  node.volData(`${blockDirs.data(volume.spec)}/vol_data.json`, names(volume))
  node.entry(blockDirs.staging(volume.spec), 'directory')
  for (const file of [`${blockDirs.publish(volume.spec)}/${pod.uid}`, `${blockDirs.dev(volume.spec)}/${pod.uid}`]) {
    node.entry(file, 'block')
    node.mount(file, {device: '0:6', fsType: 'devtmpfs', source: 'devtmpfs', root: `/${name}`})
  }
  const target = `${node.root}/${blockDirs.publish(volume.spec)}/${pod.uid}`
  node.entry(podDeviceLink(pod.uid, volume.spec), 'link', {target})
  const number = device.slice(2)
  node.line('kernel.devices', {
    device: `7:${number}`,
    name: `loop${number}`,
    backingFile: `${node.root}/${blockDirs.dev(volume.spec)}/${pod.uid}`,
  })
}

function leftBlock(node: NodeText, volume: Volume): void {
  const uid = node.uid()
  node.volData(`${blockDirs.data(volume.spec)}/vol_data.json`, names(volume))
  node.entry(`${blockDirs.dev(volume.spec)}/${uid}`, 'block')
  node.entry(`${blockDirs.publish(volume.spec)}/${uid}`, 'block')
}

function claimed(node: NodeText, volume: Volume, pod: TextPod): void {
  node.claim(pod, {name: volume.spec, persistentVolumeClaim: {claimName: volume.spec}})
}

function names({spec, driver, handle}: Volume): Readonly<Record<string, string>> {
  return {specVolID: spec, volumeHandle: handle, driverName: driver, nodeName: 'generated', attachmentID: `csi-${handle}`}
}

function unique({driver, handle}: Volume): string {
  return `kubernetes.io/csi/${driver}^${handle}`
}

function naming(node: NodeText, volume: Volume, {name, uid}: TextPod, ago: number): void {
  const text = `Starting operationExecutor.MountVolume for volume "${volume.spec}" (UniqueName: "${unique(volume)}") pod "${name}" (UID: "${uid}") `
  node.log(ago, 'reconciler_common.go:217', JSON.stringify(text))
}

function call(node: NodeText, ago: number, method: 'NodeStageVolume' | 'NodePublishVolume', {handle}: Volume, path: string): void {
  const key = method === 'NodeStageVolume' ? 'stagingTargetPath' : 'targetPath'
  node.log(ago, 'csi_client.go:397', `"kubernetes.io/csi: calling ${method} rpc" volID="${handle}" ${key}="${path}"`)
}
