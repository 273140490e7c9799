import {describe, expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {csiBlock} from '../../../src/kubelet/volumes/csi-block.ts'
import {blockPaths} from '../../../src/kubelet/volumes/csi-paths.ts'
import {deviceBindMountRefs, mapBlockVolume, unmapBlockVolume} from '../../../src/kubelet/volumes/map-block-volume.ts'
import {isOperationFinished} from '../../../src/kubelet/volumes/progress-error.ts'
import {csiSteps, type Steps, type StepsOptions, spec} from '../../support/csi-steps.ts'
import {switched} from '../../support/model-pods.ts'

const uid = 'u1'
const volume = spec({mode: 'Block'})
const data = 'volumeDevices/pv1/data/vol_data.json'
const staging = 'volumeDevices/staging/pv1'
const cleaned = ['volumeDevices/staging']

/** As a driver does it that publishes a device node. */
const makesDevice: NonNullable<StepsOptions['does']> = async (method, request, disk) => {
  const target = String(request.targetPath)
  if (method === 'NodePublishVolume') {
    await disk.writeFile(target, '')
    await disk.mount(disk.makeBlockDevice('h1'), target)
  }
  if (method === 'NodeUnpublishVolume' && (await disk.stat(target)) !== undefined) {
    await disk.unmount(target)
    await disk.unlink(target)
  }
}

async function stagedOn(options: StepsOptions): Promise<{steps: Steps; block: ReturnType<typeof csiBlock>; error: unknown}> {
  const steps = csiSteps({does: makesDevice, ...options})
  const block = csiBlock(steps.host)
  await block.prepare(volume)
  const error = await block.setUpDevice(volume).catch((failure) => failure)
  return {steps, block, error}
}

describe('setUpDevice()', () => {
  test.each([
    ['1.17.3', 'OK', [data, staging], undefined],
    ['1.17.3', 'DEADLINE_EXCEEDED', [data, staging], true],
    ['1.17.3', 'INTERNAL', [data, staging], true],
    ['1.18.2', 'OK', [data, staging], undefined],
    ['1.18.2', 'DEADLINE_EXCEEDED', [data, staging], false],
    ['1.18.2', 'INTERNAL', cleaned, true],
    ['1.36.2', 'ABORTED', [data, staging], false],
    ['1.36.2', 'INVALID_ARGUMENT', cleaned, true],
  ] as const)('of %s when NodeStageVolume is answered %s', async (version, code, expected, finished) => {
    const {steps, error} = await stagedOn({profile: profileOf(version), answers: {NodeStageVolume: code}})
    expect(steps.left()).toEqual(expected)
    expect(error === undefined ? undefined : isOperationFinished(error)).toBe(finished)
  })

  test.each(['1.18.2', '1.26.5', '1.36.2'])('of %s counts a driver that cannot be asked for an answer, and cleans up', async (version) => {
    const {steps, error} = await stagedOn({profile: profileOf(version), answers: {NodeGetCapabilities: 'UNAVAILABLE'}})
    expect(isOperationFinished(error)).toBe(true)
    expect(steps.calls()).toEqual([])
    expect(steps.left()).toEqual(['volumeDevices'])
  })

  test.each([
    ['1.26.5', true],
    ['1.36.2', false],
  ])('of %s without a driver leaves all as it is', async (version, finished) => {
    const {steps, error} = await stagedOn({profile: profileOf(version), registered: false})
    expect(isOperationFinished(error)).toBe(finished)
    // Up to 1.26 it counts as an answer: but no call was to be made, so nothing is cleaned.
    expect(steps.left()).toEqual([data])
  })

  test('stages nothing for a driver that does not', async () => {
    const {steps, error} = await stagedOn({profile: profileOf('1.36.2'), capabilities: []})
    expect([error, steps.calls(), steps.left()]).toEqual([undefined, [], [data]])
  })
})

describe('mapPodDevice()', () => {
  test('makes the folder of the target, and the driver the target', async () => {
    const {steps, block} = await stagedOn({profile: profileOf('1.36.2')})
    const path = await block.mapPodDevice(volume, uid)
    expect(path).toBe(blockPaths.publishPath('pv1', uid))
    await mapBlockVolume(steps.disk, path, 'pv1', uid)
    expect(steps.left()).toEqual([
      'volumeDevices/publish/pv1/u1 (mounted)',
      data,
      'volumeDevices/pv1/dev/u1 (mounted)',
      staging,
      'pods/u1/volumeDevices/kubernetes.io~csi/pv1',
    ])
    expect(await deviceBindMountRefs(steps.disk, 'pv1')).toEqual([`${blockPaths.dev('pv1')}/u1`])
    // Once more is no harm.
    await mapBlockVolume(steps.disk, path, 'pv1', uid)
    await unmapBlockVolume(steps.disk, 'pv1', uid)
    expect(await deviceBindMountRefs(steps.disk, 'pv1')).toEqual([])
    expect(await steps.disk.readDir(blockPaths.dev('pv1'))).toEqual([])
  })

  test.each([
    ['DEADLINE_EXCEEDED', false],
    ['INTERNAL', true],
  ])('keeps all when it is answered %s', async (code, finished) => {
    const {steps, block} = await stagedOn({profile: profileOf('1.36.2'), answers: {NodePublishVolume: code}})
    const error = await block.mapPodDevice(volume, uid).catch((failure) => failure)
    expect(isOperationFinished(error)).toBe(finished)
    expect(steps.left()).toEqual(['volumeDevices/publish/pv1', data, staging])
  })
})

describe('unmapPodDevice()', () => {
  test.each([
    [true, ['NodeUnpublishVolume']],
    [false, []],
  ])('of a target that is not there with unpublished-always, %s', async (on, expected) => {
    const {steps, block} = await stagedOn({profile: switched('1.18.2', 'unpublished-always', on)})
    steps.requests.length = 0
    await block.unmapPodDevice(await block.load('pv1'), 'pv1', uid)
    expect(steps.calls()).toEqual(expected)
  })
})

describe('tearDownDevice()', () => {
  test.each([
    ['1.17.3', [data, 'volumeDevices/staging']],
    ['1.18.2', cleaned],
    ['1.36.2', cleaned],
  ])('of %s unstages', async (version, expected) => {
    const {steps, block} = await stagedOn({profile: profileOf(version)})
    steps.requests.length = 0
    await block.tearDownDevice(await block.load('pv1'), 'pv1')
    expect(steps.calls()).toEqual(['NodeUnstageVolume'])
    expect(steps.left()).toEqual(expected)
  })

  test.each(['1.17.3', '1.36.2'])(
    'of %s does not unstage what has no staging directory (kubernetes/kubernetes#129825)',
    async (version) => {
      const {steps, block} = await stagedOn({profile: profileOf(version)})
      await steps.disk.rmdir(blockPaths.staging('pv1'))
      steps.requests.length = 0
      await block.tearDownDevice(await block.load('pv1'), 'pv1')
      expect(steps.calls()).toEqual([])
      expect(steps.logs.at(-1)).toContain('skip calling NodeUnstageVolume')
    },
  )

  test.each([
    ['NodeUnstageVolume', 'INTERNAL'],
    ['NodeGetCapabilities', ['OK', 'OK', 'UNAVAILABLE']],
  ] as const)('leaves all when %s is answered %s', async (method, code) => {
    const {steps, block} = await stagedOn({profile: profileOf('1.36.2'), answers: {[method]: code}})
    await expect(block.tearDownDevice(await block.load('pv1'), 'pv1')).rejects.toThrow('unstageVolumeForBlock failed')
    expect(steps.left()).toEqual([data, staging])
  })

  test.each([
    [true, cleaned],
    [false, [data, 'volumeDevices/staging']],
  ])('removes the rest with orphan-device-files-removed, %s', async (on, expected) => {
    const {steps, block} = await stagedOn({profile: switched('1.36.2', 'orphan-device-files-removed', on)})
    await block.tearDownDevice(await block.load('pv1'), 'pv1')
    expect(steps.left()).toEqual(expected)
  })

  test('does not throw away what is still in the way', async () => {
    const {steps, block} = await stagedOn({profile: profileOf('1.36.2')})
    await block.mapPodDevice(volume, uid)
    await block.tearDownDevice(await block.load('pv1'), 'pv1')
    expect(steps.left()).toEqual(['volumeDevices/publish/pv1/u1 (mounted)', data, 'volumeDevices/staging'])
    expect(steps.logs.at(-1)).toContain('Failed to clean up')
  })
})
