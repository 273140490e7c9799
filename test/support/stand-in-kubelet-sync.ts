// A pod's way through the kubelet: directories, volumes, sandbox and container; and back.
import {randomBytes} from 'node:crypto'
import {chmod, mkdir, rm, rmdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {firstLine} from '../../src/base/errors.ts'
import {podDeviceLink} from '../../src/node/layout.ts'
import type {Containerd} from './containerd.ts'
import {mapVolume, unmapDevice, unmapVolume} from './stand-in-kubelet-block.ts'
import {
  detached,
  type KubeletParts,
  mountDevice,
  podRef,
  publishTarget,
  quoted,
  setUp,
  tearDown,
  unmountDevice,
} from './stand-in-kubelet-filesystem.ts'
import type {PodObject} from './stand-in-kubelet-pods.ts'
import {type HostPaths, type Started, startInRuntime} from './stand-in-kubelet-runtime.ts'
import {detailed, nodeName, type PodVolume, uniqueNameOf} from './stand-in-kubelet-volume.ts'

export interface RunningPod {
  readonly uid: string
  readonly name: string
  readonly volume: PodVolume | undefined
  /** What its container gets of the node. */
  readonly paths: HostPaths
  readonly started: Started
}

export async function createPodDirs(root: string, uid: string): Promise<void> {
  for (const folder of ['volumes', 'plugins']) await mkdir(join(root, 'pods', uid, folder), {recursive: true, mode: 0o750})
}

/** Volumes first: no container starts before its volumes are there. */
export async function startPod(
  parts: KubeletParts,
  rig: Containerd,
  object: PodObject,
  volume: PodVolume | undefined,
): Promise<RunningPod> {
  const {uid, name, namespace} = object.metadata
  if (volume !== undefined) await mountVolume(parts, volume)
  parts.log.info('volume_manager.go:439', `"All volumes are attached and mounted for pod" pod="${namespace}/${name}"`)
  const folder = join(parts.root, 'pods', uid)
  const hosts = join(folder, 'etc-hosts')
  await writeFile(hosts, '# Kubernetes-managed hosts file (host network).\n127.0.0.1\tlocalhost\n')
  const termination = join(folder, 'containers/app', randomBytes(4).toString('hex'))
  await mkdir(join(folder, 'containers/app'), {recursive: true, mode: 0o750})
  await writeFile(termination, '')
  await chmod(termination, 0o666)
  const own = [
    {container: '/etc/hosts', host: hosts},
    {container: '/dev/termination-log', host: termination},
  ]
  const {mounts, devices} = volume === undefined ? {mounts: [], devices: []} : inContainer(parts.root, volume)
  const paths = {mounts: [...own, ...mounts], devices}
  return {uid, name, volume, paths, started: await startInRuntime(rig, object, paths)}
}

function inContainer(root: string, volume: PodVolume): HostPaths {
  if (!volume.block) return {mounts: [{container: `/${volume.name}`, host: publishTarget(root, volume)}], devices: []}
  return {mounts: [], devices: [{container: '/dev/xvda', host: join(root, podDeviceLink(volume.pod.uid, volume.specName))}]}
}

async function mountVolume(parts: KubeletParts, volume: PodVolume): Promise<void> {
  const {log} = parts
  const started = (operation: string) => `${quoted(detailed(volume, `operationExecutor.${operation} started`))} pod="${podRef(volume)}"`
  log.info('reconciler_common.go:253', started('VerifyControllerAttachedVolume'))
  log.info('reconciler_common.go:228', started('MountVolume'))
  if (volume.block) return mapVolume(parts, volume)
  if (!volume.inline) await mountDevice(parts, volume)
  await setUp(parts, volume)
}

/** cleanupOrphanedPodDirs, once nobody has the pod any more. */
export async function removePodDirs(root: string, uid: string): Promise<void> {
  const folder = join(root, 'pods', uid)
  for (const each of ['etc-hosts', 'containers', 'plugins']) await rm(join(folder, each), {recursive: true, force: true})
  for (const each of ['volumes', 'volumeDevices']) await removeEmpty(join(folder, each))
  await rmdir(folder)
}

export async function unmountVolume(parts: KubeletParts, volume: PodVolume, forgetStaging: boolean): Promise<void> {
  const {log} = parts
  const {name, block, inline, pod} = volume
  const who = `pod "${pod.uid}" (UID: "${pod.uid}") `
  const unmount = `operationExecutor.UnmountVolume started for volume "${name}" (UniqueName: "${uniqueNameOf(volume)}") ${who}`
  log.info('reconciler_common.go:169', quoted(unmount))
  try {
    await (block ? unmapVolume(parts, volume) : tearDown(parts, volume))
  } catch (error) {
    log.error('nestedpendingoperations.go:348', failedUnmount(volume, error))
    throw error
  }
  if (inline || forgetStaging) return
  log.info('reconciler_common.go:288', quoted(detached(volume, 'operationExecutor.UnmountDevice started')))
  await (block ? unmapDevice(parts, volume) : unmountDevice(parts, volume))
  const gone = `Volume detached for volume "${volume.specName}" (UniqueName: "${uniqueNameOf(volume)}") on node "${nodeName}"`
  log.info('reconciler_common.go:295', quoted(`${gone} DevicePath ""`))
}

/** As operation_generator.go and nestedpendingoperations.go put it. */
function failedUnmount(volume: PodVolume, error: unknown): string {
  const {name, block, pod} = volume
  const key = `{volumeName:${uniqueNameOf(volume)} podName:${pod.uid} nodeName:}`
  const until = `${new Date(Date.now() + 500).toISOString().replace('T', ' ').slice(0, 23)} +0000 UTC m=+60.1`
  const what = block ? 'UnmapVolume.UnmapPodDevice' : 'UnmountVolume.TearDown'
  const whose = `for volume "${name}" (UniqueName: "${uniqueNameOf(volume)}") pod "${pod.uid}" (UID: "${pod.uid}")`
  const why = `kubernetes.io/csi: Unmounter.TearDownAt failed: ${firstLine(error)}`
  const operation = `Operation for "${key}" failed. No retries permitted until ${until} (durationBeforeRetry 500ms).`
  return `${operation} Error: ${what} failed ${whose} : ${why}`
}

/** cleanupOrphanedPodDirs removes directories that are empty and fails on all else. */
async function removeEmpty(folder: string): Promise<void> {
  await rmdir(join(folder, 'kubernetes.io~csi')).catch(onlyMissing)
  await rmdir(folder).catch(onlyMissing)
}

function onlyMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
