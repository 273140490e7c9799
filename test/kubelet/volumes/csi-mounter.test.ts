import {describe, expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {csiMounter} from '../../../src/kubelet/volumes/csi-mounter.ts'
import {targetPath} from '../../../src/kubelet/volumes/csi-paths.ts'
import {isOperationFinished} from '../../../src/kubelet/volumes/progress-error.ts'
import {inlineSpec} from '../../../src/kubelet/volumes/volume-spec.ts'
import {csiSteps, type StepsOptions, spec} from '../../support/csi-steps.ts'
import {switched} from '../../support/model-pods.ts'
import {driver} from '../../support/volume-lab.ts'

const uid = 'u1'
const folder = 'pods/u1/volumes/kubernetes.io~csi/pv1'
const data = [`${folder}/vol_data.json`]
const withTarget = [`${folder}/mount`, ...data]
const nothing = ['pods/u1/volumes/kubernetes.io~csi']

async function setUp(options: StepsOptions, volume = spec(), kept = false) {
  const steps = csiSteps(options)
  const mounter = csiMounter(steps.host)
  await mounter.prepare(volume, uid)
  const error = await mounter.setUp(volume, uid, kept).catch((failure) => failure)
  return {steps, mounter, error}
}

describe('setUp()', () => {
  test.each([
    ['1.17.3', withTarget],
    ['1.18.2', withTarget],
    ['1.21.2', data],
    ['1.26.5', data],
    ['1.36.2', data],
  ])('of %s publishes at the target, which from 1.20 on the driver makes', async (version, expected) => {
    const {steps, error} = await setUp({profile: profileOf(version)})
    expect(error).toBeUndefined()
    expect(steps.calls()).toEqual(['NodePublishVolume'])
    expect(steps.left()).toEqual(expected)
  })

  test.each([
    ['1.17.3', 'NodePublishVolume', 'DEADLINE_EXCEEDED', nothing, true],
    ['1.17.3', 'NodeGetCapabilities', 'UNAVAILABLE', data, true],
    ['1.18.2', 'NodePublishVolume', 'DEADLINE_EXCEEDED', withTarget, false],
    ['1.18.2', 'NodePublishVolume', 'INTERNAL', nothing, true],
    ['1.21.2', 'NodePublishVolume', 'UNAVAILABLE', data, false],
    ['1.26.5', 'NodePublishVolume', 'RESOURCE_EXHAUSTED', data, false],
    ['1.26.5', 'NodePublishVolume', 'PERMISSION_DENIED', nothing, true],
    ['1.26.5', 'NodeGetCapabilities', 'UNAVAILABLE', [], true],
    ['1.36.2', 'NodePublishVolume', 'CANCELLED', data, false],
    ['1.36.2', 'NodePublishVolume', 'INTERNAL', nothing, true],
    // The text of another error: still so in SetUpAt (kubernetes/kubernetes#135929).
    ['1.36.2', 'NodeGetCapabilities', 'UNAVAILABLE', [], true],
  ] as const)('of %s when %s is answered %s', async (version, method, code, expected, finished) => {
    const {steps, error} = await setUp({profile: profileOf(version), answers: {[method]: code}})
    expect(error).toBeInstanceOf(Error)
    expect(isOperationFinished(error)).toBe(finished)
    expect(steps.left()).toEqual(expected)
  })

  test.each([
    [true, false],
    [false, true],
  ])('when the driver cannot say its access modes, with capability-error-uncertain, %s: finished %s', async (on, finished) => {
    const answers = {NodeGetCapabilities: ['OK', 'OK', 'UNAVAILABLE']}
    const {error} = await setUp({profile: switched('1.36.2', 'capability-error-uncertain', on), answers})
    expect(isOperationFinished(error)).toBe(finished)
  })

  test('is transient when no driver is registered, whatever the version', async () => {
    const {error} = await setUp({profile: profileOf('1.26.5'), registered: false})
    expect(isOperationFinished(error)).toBe(false)
  })

  test('keeps the directory that an earlier kubelet left, though publishing anew fails', async () => {
    const {steps} = await setUp({profile: profileOf('1.36.2'), answers: {NodePublishVolume: 'INTERNAL'}}, spec(), true)
    expect(steps.left()).toEqual(data)
  })

  test('tells the staging path of a driver that stages, and none of an inline volume', async () => {
    const inline = inlineSpec(uid, 'scratch', driver)
    const staged = await setUp({profile: profileOf('1.36.2')})
    const unstaged = await setUp({profile: profileOf('1.36.2'), capabilities: []})
    const ephemeral = await setUp({profile: profileOf('1.36.2')}, inline)
    const pathOf = ({steps}: typeof staged) => steps.requests.find(([method]) => method === 'NodePublishVolume')?.[1].stagingTargetPath
    expect([staged, unstaged, ephemeral].map(pathOf)).toEqual([expect.stringMatching(/globalmount$/), undefined, undefined])
    const file = `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~csi/scratch/vol_data.json`
    expect(JSON.parse(await ephemeral.steps.disk.readFile(file))).toMatchObject({volumeLifecycleMode: 'Ephemeral', specVolID: 'scratch'})
  })

  test.each([
    ['pod-data-at-setup', true, []],
    ['pod-data-at-setup', false, data],
  ] as const)('prepare() with %s, %s', async (name, on, expected) => {
    const steps = csiSteps({profile: switched('1.36.2', name, on)})
    await csiMounter(steps.host).prepare(spec(), uid)
    expect(steps.left()).toEqual(expected)
  })

  test.each([
    [true, data],
    [false, withTarget],
  ])('makes the folder of the target with target-made-by-driver, %s', async (on, expected) => {
    const {steps} = await setUp({profile: switched('1.36.2', 'target-made-by-driver', on)})
    expect(steps.left()).toEqual(expected)
  })
})

describe('unmounter()', () => {
  test.each(['1.17.3', '1.36.2'])('of %s unpublishes, and removes the target should the driver have left it', async (version) => {
    const {steps, mounter} = await setUp({profile: profileOf(version)})
    await steps.disk.mkdirAll(targetPath(uid, 'pv1'))
    const tearDown = await mounter.unmounter(uid, 'pv1')
    await tearDown()
    expect(steps.calls()).toEqual(['NodePublishVolume', 'NodeUnpublishVolume'])
    expect(steps.left()).toEqual(nothing)
  })

  test('unpublishes a target that is not there', async () => {
    const {steps, mounter} = await setUp({profile: profileOf('1.18.2'), answers: {NodePublishVolume: 'DEADLINE_EXCEEDED'}})
    await steps.disk.rmdir(targetPath(uid, 'pv1'))
    await (await mounter.unmounter(uid, 'pv1'))()
    expect(steps.calls()).toEqual(['NodePublishVolume', 'NodeUnpublishVolume'])
  })

  test.each(['INTERNAL', 'NOT_FOUND'])('leaves all when it is answered %s', async (code) => {
    const {steps, mounter} = await setUp({profile: profileOf('1.36.2'), answers: {NodeUnpublishVolume: code}})
    await expect((await mounter.unmounter(uid, 'pv1'))()).rejects.toThrow('Unmounter.TearDownAt failed')
    expect(steps.left()).toEqual(data)
  })

  test('fails at once when vol_data.json is gone', async () => {
    const {steps} = await setUp({profile: profileOf('1.36.2')})
    await steps.disk.unlink(`/var/lib/kubelet/${folder}/vol_data.json`)
    await expect(csiMounter(steps.host).unmounter(uid, 'pv1')).rejects.toThrow('ENOENT')
  })
})
