import {existsSync, mkdirSync, readlinkSync, rmdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {kubeletRoot} from '../../../src/kubelet/disk.ts'
import {memoryDisk} from '../../../src/lab/disk/memory-disk.ts'
import {rootlessDisk} from '../../../src/lab/disk/rootless-disk.ts'
import type {LabDisk, Tell} from '../../../src/lab/disk/tree-disk.ts'
import {fakeDriver} from '../../../src/lab/drivers/fake-driver.ts'
import {PortCaller} from '../../../src/lab/port/server.ts'
import {tempDir} from '../../support/socket-dir.ts'

const at = (path: string) => `${kubeletRoot}/${path}`

function lab() {
  const root = tempDir()
  return {root, disk: rootlessDisk({root, now: () => 0})}
}

/** What a driver does on a disk, on the simulated clock: what is told and what is there. */
async function staged(make: (now: () => number, tell: Tell) => LabDisk): Promise<unknown> {
  const clock = simulatedClock(1_700_000_000_000)
  const told: unknown[] = []
  const disk = make(clock.now, (change) => told.push([clock.now(), change]))
  await disk.mkdirAll(kubeletRoot)
  told.length = 0
  const {node, controller} = fakeDriver({name: 'd'}, disk, clock, seeded(1))
  const caller = new PortCaller(Number.POSITIVE_INFINITY)
  const [volumeId, stagingTargetPath, targetPath] = ['v', at('globalmount'), at('pods/u/mount')] as const
  const looks: unknown[] = []
  const act = async (work: unknown) => {
    await Promise.all([work, clock.run(clock.now() + 1000)])
    looks.push([...disk.listing(kubeletRoot)], [...disk.mounts()])
  }
  for (const volumeMode of ['Filesystem', 'Block'] as const) {
    controller.createVolume(volumeId, volumeMode)
    await act(node.NodeStageVolume({volumeId, stagingTargetPath, volumeMode}, caller))
    await act(node.NodePublishVolume({volumeId, stagingTargetPath, targetPath, volumeMode, readonly: false}, caller))
    await act(node.NodeUnpublishVolume({volumeId, targetPath}, caller))
    await act(node.NodeUnstageVolume({volumeId, stagingTargetPath}, caller))
    controller.deleteVolume(volumeId)
  }
  return {told, looks}
}

test('rootlessDisk() tells and lists, moments too, what the disk in memory does', async () => {
  const root = tempDir()
  const onFolder = await staged((now, tell) => rootlessDisk({root, now, tell}))
  expect(onFolder).toEqual(await staged(memoryDisk))
  expect(onFolder).toMatchObject({
    told: expect.arrayContaining([[expect.any(Number), {what: 'mounted', path: at('pods/u/mount'), entry: 'device'}]]),
  })
})

test('rootlessDisk() shows what somebody else did in its folder', async () => {
  const {root, disk} = lab()
  await disk.mkdirAll(at('pods/u'))
  writeFileSync(join(root, 'pods/u/etc-hosts'), '127.0.0.1')
  symlinkSync(join(root, 'pods'), join(root, 'link'))
  expect(await disk.readFile(at('link/u/etc-hosts'))).toBe('127.0.0.1')
  expect(disk.listing(kubeletRoot).map(({path, target}) => [path, target])).toEqual([
    [at('link'), at('pods')],
    [at('pods'), undefined],
    [at('pods/u'), undefined],
    [at('pods/u/etc-hosts'), undefined],
  ])
})

test('rootlessDisk() has no mount any more where somebody else took the directory away', async () => {
  const {root, disk} = lab()
  for (const path of ['a', 'b']) await disk.mkdirAll(at(path))
  await disk.mount(disk.makeFilesystem('f'), at('a'))
  await disk.bindMount(at('a'), at('b'))
  rmdirSync(join(root, 'b'))
  expect([await disk.mountRefs(at('a')), disk.mounts().map(({path}) => path)]).toEqual([[], [at('a')]])
  mkdirSync(join(root, 'b'))
  expect(await disk.isMountPoint(at('b'))).toBe(false)
})

test('rootlessDisk() writes links as they lead on this machine, and leaves alone what is not below its folder', async () => {
  const {root, disk} = lab()
  await disk.symlink(at('pods'), at('link'))
  await disk.symlink('../elsewhere', at('relative'))
  await disk.mkdirAll('/kl-nowhere/x')
  expect([readlinkSync(join(root, 'link')), readlinkSync(join(root, 'relative'))]).toEqual([join(root, 'pods'), '../elsewhere'])
  expect([await disk.stat('/kl-nowhere/x'), existsSync('/kl-nowhere')]).toEqual(['directory', false])
})
