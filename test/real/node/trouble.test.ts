import {randomUUID} from 'node:crypto'
import {mkdir, readFile, rm, truncate, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {execa} from 'execa'
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest'
import {hang} from '../../../src/faults/hang.ts'
import {blockDirs, podVolumeDir} from '../../../src/node/layout.ts'
import {alarms} from '../../support/alarms.ts'
import {startCsiBind} from '../../support/csi-bind.ts'
import {createVolume, deleteVolume, nodeUnstage} from '../../support/csi-calls.ts'
import {type HealthyNode, startHealthyNode} from '../../support/healthy-node.ts'
import {globalMountPath, nodeName, type PodVolume, publishTarget} from '../../support/node-pods.ts'

let node: HealthyNode

beforeAll(async () => {
  node = await startHealthyNode()
})
afterAll(() => node[Symbol.asyncDispose]())

async function expectOnly(code: string, subject: object): Promise<void> {
  expect(await alarms(node)).toEqual([expect.objectContaining({code, subject: expect.objectContaining(subject), cause: null})])
}

// What a test breaks it puts right, so that the next one meets a healthy node.
afterEach(async () => expect(await alarms(node)).toEqual([]))

test('check finds V01, the directory of a pod that nobody knows, with nothing but its vol_data.json', async () => {
  const uid = randomUUID()
  const path = join(node.kubelet.root, 'pods', uid)
  const volData = {
    attachmentID: `csi-${randomUUID()}`,
    driverName: node.driver.name,
    nodeName,
    specVolID: 'pv-gone',
    volumeHandle: 'gone',
    volumeLifecycleMode: 'Persistent',
  }
  const folder = join(node.kubelet.root, podVolumeDir(uid, 'pv-gone'))
  await mkdir(folder, {recursive: true, mode: 0o750})
  await writeFile(join(folder, 'vol_data.json'), `${JSON.stringify(volData)}\n`)
  try {
    await expectOnly('V01', {path})
  } finally {
    await rm(path, {recursive: true})
  }
})

test('check finds V02, the vol_data.json of a running pod that was cut to nothing', async () => {
  const path = join(dirname(publishTarget(node.kubelet.root, volumeOf(node.web))), 'vol_data.json')
  const text = await readFile(path)
  await truncate(path)
  try {
    await expectOnly('V02', {path})
  } finally {
    await writeFile(path, text)
  }
})

test('check finds V04, a volume that is staged for no pod, left by a kubelet that restarted between unpublish and unstage', async () => {
  const {kubelet, containerd} = node
  const name = 'staging.csi.kubelimbo.test'
  const state = join(containerd.folder, 'csi-data-staging')
  const registered = kubelet.says(/Register new plugin/)
  await using driver = await startCsiBind({kubeletRoot: kubelet.root, state, name, stageMount: true})
  await registered
  const handle = await createVolume(driver.socket, randomUUID(), false)
  const pod = await kubelet.runPod({name: 'left-0', volume: {kind: 'filesystem', pv: 'pv3', driver: name, handle}})
  kubelet.faults.add({name: 'no unstage', match: {to: 'csi', method: 'NodeUnstageVolume', request: {driver: name}}, fault: hang()})
  await kubelet.deletePod(pod, true)
  await kubelet.restart()
  kubelet.faults.remove('no unstage')
  const path = globalMountPath(kubelet.root, volumeOf(pod))
  try {
    await expectOnly('V04', {path, driver: name, handle})
  } finally {
    await nodeUnstage(driver.socket, handle, path)
    await deleteVolume(driver.socket, handle)
    await rm(dirname(dirname(path)), {recursive: true})
    await driver.end('SIGTERM')
    await rm(dirname(driver.socket), {recursive: true})
  }
})

test('check finds V06, a running pod whose volume is no longer mounted', async () => {
  const volume = volumeOf(node.web)
  const path = publishTarget(node.kubelet.root, volume)
  await execa('umount', [path])
  try {
    await expectOnly('V06', {path})
  } finally {
    await execa('mount', ['--bind', join(node.driver.state, volume.handle), path])
  }
})

test('check finds V11, the device file of a pod that nobody knows', async () => {
  const path = join(node.kubelet.root, blockDirs.dev(volumeOf(node.block).specName), randomUUID())
  await writeFile(path, '')
  try {
    await expectOnly('V11', {path})
  } finally {
    await rm(path)
  }
})

test('check finds C01, a driver that pods need and that is not registered', async () => {
  await node.driver.end('SIGTERM')
  try {
    await expectOnly('C01', {driver: node.driver.name})
  } finally {
    await node.restartDriver()
  }
})

test('check finds C02, a driver that was killed: its sockets are there and nobody listens', async () => {
  await node.driver.end('SIGKILL')
  try {
    await expectOnly('C02', {driver: node.driver.name})
  } finally {
    await node.restartDriver()
  }
})

test('check finds C03, a driver that takes connections and does not answer', async () => {
  process.kill(node.driver.pid, 'SIGSTOP')
  try {
    await expectOnly('C03', {driver: node.driver.name})
  } finally {
    process.kill(node.driver.pid, 'SIGCONT')
  }
})

function volumeOf({volume, name}: HealthyNode['web']): PodVolume {
  if (volume === undefined) throw new Error(`${name} has no volume`)
  return volume
}
