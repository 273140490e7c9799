import {existsSync} from 'node:fs'
import {mkdir, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {execa} from 'execa'
import {expect, onTestFinished, test} from 'vitest'
import {builtPeers} from '../support/built-peers.ts'
import {findLeftovers} from '../support/containerd-leftovers.ts'
import {type CsiBind, type CsiBindOptions, startCsiBind} from '../support/csi-bind.ts'
import {
  createVolume,
  deleteVolume,
  getPluginInfo,
  nodeGetCapabilities,
  nodeGetVolumeStats,
  nodePublish,
  nodeStage,
  nodeUnpublish,
  nodeUnstage,
  notifyRegistered,
} from '../support/csi-calls.ts'
import {loopsBelow} from '../support/loop-devices.ts'
import {tempDir} from '../support/socket-dir.ts'

async function startDriver(options: Partial<CsiBindOptions> = {}): Promise<{driver: CsiBind; folder: string}> {
  const folder = tempDir()
  const driver = await startCsiBind({kubeletRoot: join(folder, 'kubelet'), state: join(folder, 'state'), ...options})
  onTestFinished(() => driver[Symbol.asyncDispose]())
  return {driver, folder}
}

async function mountsBelow(folder: string): Promise<readonly string[]> {
  return (await findLeftovers(folder)).mounts
}

test('csi-bind passes the Identity and Node parts of csi-sanity', async () => {
  const {driver, folder} = await startDriver()
  const [sanity = ''] = await builtPeers('csi-sanity')
  const paths = ['--csi.mountdir', join(folder, 'mount'), '--csi.stagingdir', join(folder, 'staging')]
  const focus = ['--ginkgo.focus', 'Identity Service|Node Service', '--ginkgo.no-color']
  const {stdout, exitCode} = await execa(sanity, ['--csi.endpoint', driver.socket, ...paths, ...focus], {reject: false})
  expect(stdout).toMatch(/[1-9]\d Passed \| 0 Failed/)
  expect(exitCode).toBe(0)
  expect(await mountsBelow(folder)).toEqual([])
})

test('csi-bind stages nothing, binds a folder on publish, undoes both, and refuses to unstage what is published', async () => {
  const {driver, folder} = await startDriver()
  const {socket} = driver
  const [stagingPath, targetPath] = [join(folder, 'staging'), join(folder, 'target')]
  await mkdir(stagingPath)
  const handle = await createVolume(socket, 'web', false)
  for (let twice = 0; twice < 2; twice++) await nodeStage(socket, {handle, stagingPath, block: false})
  expect(await mountsBelow(folder)).toEqual([])
  for (let twice = 0; twice < 2; twice++) await nodePublish(socket, {handle, stagingPath, targetPath, block: false})
  expect(await mountsBelow(folder)).toEqual([targetPath])
  expect(await nodeGetVolumeStats(socket, handle, targetPath)).toBeGreaterThan(0)
  await expect(nodeUnstage(socket, handle, stagingPath)).rejects.toMatchObject({
    code: 13,
    message: expect.stringContaining('still published'),
  })
  for (let twice = 0; twice < 2; twice++) await nodeUnpublish(socket, handle, targetPath)
  expect(existsSync(targetPath)).toBe(false)
  for (let twice = 0; twice < 2; twice++) await nodeUnstage(socket, handle, stagingPath)
  await deleteVolume(socket, handle)
  expect(await mountsBelow(folder)).toEqual([])
})

test('csi-bind publishes a raw block volume as a loop device and detaches it', async () => {
  const {driver, folder} = await startDriver()
  const {socket} = driver
  const [stagingPath, targetPath] = [join(folder, 'staging'), join(folder, 'device')]
  const handle = await createVolume(socket, 'blk', true)
  await nodeStage(socket, {handle, stagingPath, block: true})
  await nodePublish(socket, {handle, stagingPath, targetPath, block: true})
  expect((await stat(targetPath)).isBlockDevice()).toBe(true)
  expect(await loopsBelow(folder)).toMatchObject([{backingFile: join(folder, 'state', handle)}])
  expect(await nodeGetVolumeStats(socket, handle, targetPath)).toBe(1024 * 1024)
  await nodeUnpublish(socket, handle, targetPath)
  await nodeUnstage(socket, handle, stagingPath)
  await deleteVolume(socket, handle)
  expect(await loopsBelow(folder)).toEqual([])
})

test('csi-bind makes the folder of an inline volume at publish and removes it at unpublish', async () => {
  const {driver, folder} = await startDriver()
  const {socket, state} = driver
  const targetPath = join(folder, 'scratch')
  const context = new Map([['csi.storage.k8s.io/ephemeral', 'true']])
  await nodePublish(socket, {handle: 'csi-1', stagingPath: '', targetPath, block: false, context})
  expect(existsSync(join(state, 'csi-1'))).toBe(true)
  await nodeUnpublish(socket, 'csi-1', targetPath)
  expect(existsSync(join(state, 'csi-1'))).toBe(false)
  await expect(nodeUnpublish(socket, 'csi-1', targetPath)).rejects.toMatchObject({code: 5})
})

test('csi-bind -stage-mount mounts a filesystem volume on its staging path', async () => {
  const {driver, folder} = await startDriver({stageMount: true})
  const stagingPath = join(folder, 'staging')
  await mkdir(stagingPath)
  const handle = await createVolume(driver.socket, 'web', false)
  await nodeStage(driver.socket, {handle, stagingPath, block: false})
  expect(await mountsBelow(folder)).toEqual([stagingPath])
  await nodeUnstage(driver.socket, handle, stagingPath)
  expect(await mountsBelow(folder)).toEqual([])
})

test('csi-bind knows after a SIGKILL what it staged', async () => {
  const {driver, folder} = await startDriver()
  const stagingPath = join(folder, 'staging')
  const handle = await createVolume(driver.socket, 'web', false)
  await nodeStage(driver.socket, {handle, stagingPath, block: false})
  await driver.end('SIGKILL')
  expect(existsSync(driver.socket)).toBe(true)
  await using again = await startCsiBind({kubeletRoot: join(folder, 'kubelet'), state: driver.state})
  const elsewhere = {handle, stagingPath: join(folder, 'elsewhere'), block: false}
  await expect(nodeStage(again.socket, elsewhere)).rejects.toMatchObject({code: 9, message: expect.stringContaining('already staged')})
})

test('csi-bind answers a registration as node-driver-registrar does', async () => {
  const {driver, folder} = await startDriver()
  const info = await getPluginInfo(driver.registration)
  expect(info).toEqual({type: 'CSIPlugin', name: driver.name, endpoint: driver.socket})
  await notifyRegistered(driver.registration)
  expect(existsSync(join(folder, 'kubelet/plugins', driver.name, 'registration'))).toBe(true)
  expect(await nodeGetCapabilities(driver.socket)).toEqual([1, 2])
  await driver.end('SIGTERM')
  expect([driver.socket, driver.registration].filter(existsSync)).toEqual([])
})
