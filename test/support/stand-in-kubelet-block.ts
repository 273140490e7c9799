// A raw block volume's way, as kubelet 1.26 goes it: operation_generator.go, csi_block.go, volumepathhandler.
import {mkdir, rm, rmdir, symlink, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {execa} from 'execa'
import {blockDirs, podDeviceLink} from '../../src/node/layout.ts'
import {detached, type KubeletParts, podRef, quoted, saveVolData, unmounted} from './stand-in-kubelet-filesystem.ts'
import {detailed, type PodVolume, volData} from './stand-in-kubelet-volume.ts'

interface BlockPaths {
  readonly data: string
  readonly staging: string
  /** Where the driver publishes. */
  readonly publish: string
  /** Where the kubelet binds it again. */
  readonly dev: string
  readonly link: string
}

function blockPaths(root: string, {specName, pod}: PodVolume): BlockPaths {
  return {
    data: join(root, blockDirs.data(specName)),
    staging: join(root, blockDirs.staging(specName)),
    publish: join(root, blockDirs.publish(specName), pod.uid),
    dev: join(root, blockDirs.dev(specName), pod.uid),
    link: join(root, podDeviceLink(pod.uid, specName)),
  }
}

export async function mapVolume({root, log, csi}: KubeletParts, volume: PodVolume): Promise<void> {
  const {handle, driver} = volume
  const paths = blockPaths(root, volume)
  log.info('csi_plugin.go:632', `kubernetes.io/csi: setting up block mapper for [volume=${handle},driver=${driver}]`)
  await mkdir(paths.data, {recursive: true, mode: 0o750})
  log.info('csi_plugin.go:658', `kubernetes.io/csi: created path successfully [${paths.data}]`)
  await saveVolData(log, paths.data, volData(volume))
  log.info('csi_block.go:282', 'kubernetes.io/csi: blockMapper.SetUpDevice called')
  log.info('csi_block.go:155', `kubernetes.io/csi: blockMapper.stageVolumeForBlock stagingPath set [${paths.staging}]`)
  const stages = await csi.has(driver, 'STAGE_UNSTAGE_VOLUME')
  await mkdir(paths.staging, {recursive: true, mode: 0o750})
  log.info(
    'csi_block.go:183',
    `kubernetes.io/csi: blockMapper.stageVolumeForBlock created stagingPath directory successfully [${paths.staging}]`,
  )
  if (stages) await csi.stage(volume, paths.staging)
  log.info(
    'csi_block.go:203',
    `kubernetes.io/csi: blockMapper.stageVolumeForBlock successfully requested NodeStageVolume [${paths.staging}]`,
  )
  log.info('csi_block.go:342', 'kubernetes.io/csi: blockMapper.MapPodDevice called')
  await mkdir(dirname(paths.publish), {recursive: true, mode: 0o750})
  const made = `created directory for publishPath successfully [${dirname(paths.publish)}]`
  log.info('csi_block.go:251', `kubernetes.io/csi: blockMapper.publishVolumeForBlock ${made}`)
  await csi.publish(volume, stages ? paths.staging : '', paths.publish)
  await bindAndLock(paths)
  const succeeded = (suffix: string) => quoted(detailed(volume, 'MapVolume.MapPodDevice succeeded', suffix))
  log.info('operation_generator.go:1231', `${succeeded(`globalMapPath "${dirname(paths.dev)}"`)} pod="${podRef(volume)}"`)
  log.info('operation_generator.go:1237', `${succeeded(`volumeMapPath "${dirname(paths.link)}"`)} pod="${podRef(volume)}"`)
}

/** MapBlockVolume: the loop device over the device keeps it from going while the pod has it. */
async function bindAndLock({publish, dev, link}: BlockPaths): Promise<void> {
  await mkdir(dirname(dev), {recursive: true, mode: 0o750})
  await writeFile(dev, '')
  await execa('mount', ['--bind', publish, dev])
  await mkdir(dirname(link), {recursive: true, mode: 0o750})
  await symlink(publish, link)
  await execa('losetup', ['--find', dev])
}

/** UnmapVolume: UnmapBlockVolume, then NodeUnpublishVolume. */
export async function unmapVolume({root, log, csi}: KubeletParts, volume: PodVolume): Promise<void> {
  const {publish, dev, link} = blockPaths(root, volume)
  const {stdout} = await execa('losetup', ['--associated', dev, '--noheadings', '--output', 'NAME'])
  for (const device of stdout.split('\n').filter((line) => line !== '')) await execa('losetup', ['--detach', device.trim()])
  await rm(link)
  await rmdir(dirname(link))
  await execa('umount', [dev])
  await rm(dev)
  await csi.unpublish(volume, publish)
  log.info('csi_block.go:407', `kubernetes.io/csi: blockMapper.unpublishVolumeForBlock NodeUnpublished successfully [${publish}]`)
  log.info('operation_generator.go:1352', unmounted(volume, 'UnmapVolume succeeded'))
}

/** UnmapDevice: NodeUnstageVolume, and the directories go. */
export async function unmapDevice({root, log, csi}: KubeletParts, volume: PodVolume): Promise<void> {
  const {staging, publish, data} = blockPaths(root, volume)
  if (await csi.has(volume.driver, 'STAGE_UNSTAGE_VOLUME')) await csi.unstage(volume, staging)
  log.info('csi_block.go:430', `kubernetes.io/csi: blockMapper.unstageVolumeForBlock NodeUnstageVolume successfully [${staging}]`)
  await rmdir(dirname(publish))
  await rm(staging, {recursive: true})
  await rm(dirname(data), {recursive: true})
  log.info('operation_generator.go:1481', detached(volume, 'UnmapDevice succeeded'))
}
