import {expect, test} from 'vitest'
import type {Disk} from '../../../src/kubelet/disk.ts'
import {diskOf} from '../../../src/kubelet/volumes/disk-steps.ts'
import {mapBlockVolume, unmapBlockVolume} from '../../../src/kubelet/volumes/map-block-volume.ts'
import {memoryDisk} from '../../../src/lab/disk/memory-disk.ts'

const below = '/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices'
const bound = `${below}/pv1/dev/u1`
const link = '/var/lib/kubelet/pods/u1/volumeDevices/kubernetes.io~csi/pv1'

async function withDevice(signal = new AbortController().signal) {
  const memory = memoryDisk(() => 0)
  await memory.mkdirAll(`${below}/publish/pv1`)
  await memory.writeFile(`${below}/publish/pv1/u1`, '')
  await memory.mount(memory.makeBlockDevice('h1'), `${below}/publish/pv1/u1`)
  const held: string[] = []
  const state = async (path: string) => `${path}: ${await memory.stat(path)}, link: ${await memory.stat(link)}`
  const disk: Disk = {
    ...memory,
    attachFileDevice: async (path) => void held.push(`attached ${await state(path)}`),
    detachFileDevice: async (path) => void held.push(`detached ${await state(path)}`),
  }
  return {memory, held, disk: diskOf(disk, signal)}
}

test('mapBlockVolume() holds the device when all else is done, and unmapBlockVolume() lets it go before all else', async () => {
  const {held, disk} = await withDevice()
  await mapBlockVolume(disk, `${below}/publish/pv1/u1`, 'pv1', 'u1')
  await unmapBlockVolume(disk, 'pv1', 'u1')
  expect(held).toEqual([`attached ${bound}: device, link: symlink`, `detached ${bound}: device, link: symlink`])
  expect(await disk.stat(bound)).toBeUndefined()
  expect(await disk.stat(link)).toBeUndefined()
})

test('mapBlockVolume() does without on a disk that holds nothing', async () => {
  const {memory} = await withDevice()
  const disk = diskOf(memory, new AbortController().signal)
  await mapBlockVolume(disk, `${below}/publish/pv1/u1`, 'pv1', 'u1')
  expect(await disk.stat(bound)).toBe('device')
  await unmapBlockVolume(disk, 'pv1', 'u1')
  expect(await disk.stat(bound)).toBeUndefined()
})

test('diskOf() holds no device for a kubelet that has ended', async () => {
  const end = new AbortController()
  const {held, disk} = await withDevice(end.signal)
  end.abort(new Error('it has ended'))
  await expect(disk.attachFileDevice?.(bound)).rejects.toThrow('it has ended')
  expect(held).toEqual([])
})
