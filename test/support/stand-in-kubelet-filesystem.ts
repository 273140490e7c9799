// A filesystem volume's way, as kubelet 1.26 goes it: operation_generator.go, csi_attacher.go, csi_mounter.go.
import {mkdir, rm, rmdir, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {podVolumeDir, stagingDir} from '../../src/node/layout.ts'
import type {KubeletCsi} from './stand-in-kubelet-csi.ts'
import type {KubeletLog} from './stand-in-kubelet-log.ts'
import {detailed, nodeName, type PodVolume, stagingVolData, uniqueNameOf, volData} from './stand-in-kubelet-volume.ts'

export interface KubeletParts {
  readonly root: string
  readonly log: KubeletLog
  readonly csi: KubeletCsi
}

export function globalMountPath(root: string, {driver, handle}: PodVolume): string {
  return join(root, stagingDir(driver, handle), 'globalmount')
}

export function publishTarget(root: string, {pod, specName}: PodVolume): string {
  return join(root, podVolumeDir(pod.uid, specName), 'mount')
}

/** MountDevice: NodeStageVolume. */
export async function mountDevice({root, log, csi}: KubeletParts, volume: PodVolume): Promise<void> {
  const path = globalMountPath(root, volume)
  log.info('csi_attacher.go:271', `kubernetes.io/csi: attacher.MountDevice(, ${path})`)
  const stages = await csi.has(volume.driver, 'STAGE_UNSTAGE_VOLUME')
  await mkdir(path, {recursive: true, mode: 0o750})
  log.info('csi_attacher.go:345', `kubernetes.io/csi: created target path successfully [${path}]`)
  await saveVolData(log, dirname(path), stagingVolData(volume))
  await csi.has(volume.driver, 'VOLUME_MOUNT_GROUP')
  if (stages) await csi.stage(volume, path)
  log.info('csi_attacher.go:414', `kubernetes.io/csi: attacher.MountDevice successfully requested NodeStageVolume [${path}]`)
  const message = detailed(volume, 'MountVolume.MountDevice succeeded', `device mount path "${path}"`)
  log.info('operation_generator.go:658', `${quoted(message)} pod="${podRef(volume)}"`)
}

/** SetUpAt: NodePublishVolume. */
export async function setUp({root, log, csi}: KubeletParts, volume: PodVolume): Promise<void> {
  const target = publishTarget(root, volume)
  log.info('csi_mounter.go:104', `kubernetes.io/csi: Mounter.SetUpAt(${target})`)
  const staged = !volume.inline && (await csi.has(volume.driver, 'STAGE_UNSTAGE_VOLUME'))
  await mkdir(dirname(target), {recursive: true, mode: 0o750})
  log.info('csi_mounter.go:214', `kubernetes.io/csi: created target path successfully [${dirname(target)}]`)
  await csi.has(volume.driver, 'VOLUME_MOUNT_GROUP')
  await saveVolData(log, dirname(target), volData(volume))
  await csi.publish(volume, staged ? globalMountPath(root, volume) : '', target)
  log.info('csi_mounter.go:347', `kubernetes.io/csi: mounter.SetUp successfully requested NodePublish [${target}]`)
  log.info('operation_generator.go:740', `${quoted(detailed(volume, 'MountVolume.SetUp succeeded'))} pod="${podRef(volume)}"`)
}

/** TearDownAt: NodeUnpublishVolume. */
export async function tearDown({root, log, csi}: KubeletParts, volume: PodVolume): Promise<void> {
  const target = publishTarget(root, volume)
  log.info('csi_mounter.go:417', `kubernetes.io/csi: Unmounter.TearDownAt(${target})`)
  await csi.unpublish(volume, target)
  await removeMountDir(log, target)
  log.info('csi_mounter.go:441', `kubernetes.io/csi: Unmounter.TearDownAt successfully unmounted dir [${target}]`)
  log.info('operation_generator.go:900', unmounted(volume, 'UnmountVolume.TearDown succeeded'))
}

/** UnmountDevice: NodeUnstageVolume. */
export async function unmountDevice({root, log, csi}: KubeletParts, volume: PodVolume): Promise<void> {
  const path = globalMountPath(root, volume)
  log.info('csi_attacher.go:588', `kubernetes.io/csi: attacher.UnmountDevice(${path})`)
  if (await csi.has(volume.driver, 'STAGE_UNSTAGE_VOLUME')) await csi.unstage(volume, path)
  await removeMountDir(log, path)
  log.info('csi_attacher.go:649', `kubernetes.io/csi: attacher.UnmountDevice successfully requested NodeUnStageVolume [${path}]`)
  log.info('operation_generator.go:989', detached(volume, 'UnmountDevice succeeded'))
}

export async function saveVolData(log: KubeletLog, folder: string, text: string): Promise<void> {
  const file = join(folder, 'vol_data.json')
  log.info('csi_util.go:61', `kubernetes.io/csi: saving volume data file [${file}]`)
  // Go's json.Encoder ends with a newline.
  await writeFile(file, `${text}\n`)
  log.info('csi_util.go:70', `kubernetes.io/csi: volume data file saved successfully [${file}]`)
}

// The driver has removed the target of a publish.
async function removeMountDir(log: KubeletLog, path: string): Promise<void> {
  log.info('csi_mounter.go:570', `kubernetes.io/csi: removing mount path [${path}]`)
  log.info('csi_mounter.go:577', `kubernetes.io/csi: dir not mounted, deleting it [${path}]`)
  await rmdir(path).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
  const file = join(dirname(path), 'vol_data.json')
  log.info('csi_mounter.go:584', `kubernetes.io/csi: also deleting volume info data file [${file}]`)
  await rm(file, {force: true})
  log.info('csi_mounter.go:589', `kubernetes.io/csi: deleting volume path [${dirname(path)}]`)
  await rmdir(dirname(path))
}

export function quoted(text: string): string {
  return JSON.stringify(text)
}

export function podRef({pod}: PodVolume): string {
  return `${pod.namespace}/${pod.name}`
}

export function unmounted(volume: PodVolume, prefix: string): string {
  const {name, specName, pod} = volume
  const inner = `InnerVolumeSpecName "${specName}". PluginName "kubernetes.io/csi", VolumeGidValue ""`
  return `${prefix} for volume "${uniqueNameOf(volume)}" (OuterVolumeSpecName: "${name}") pod "${pod.uid}" (UID: "${pod.uid}"). ${inner}`
}

export function detached(volume: PodVolume, prefix: string): string {
  return `${prefix} for volume "${volume.specName}" (UniqueName: "${uniqueNameOf(volume)}") on node "${nodeName}" `
}
