import {describe, expect, test} from 'vitest'
import {CallFailure} from '../../../src/kubelet/port.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {csiAttacher} from '../../../src/kubelet/volumes/csi-attacher.ts'
import {deviceMountPath} from '../../../src/kubelet/volumes/csi-paths.ts'
import {isOperationFinished} from '../../../src/kubelet/volumes/progress-error.ts'
import {csiSteps, type StepsOptions, spec} from '../../support/csi-steps.ts'
import {leftOn} from '../../support/left-on.ts'
import {switched} from '../../support/model-pods.ts'

async function mounted(options: StepsOptions) {
  const steps = csiSteps(options)
  const path = deviceMountPath(options.profile)(spec())
  const error = await csiAttacher(steps.host)
    .mountDevice(spec(), path)
    .catch((failure) => failure)
  return {steps, error, path}
}

const staged = ['csi.example.com/<sha>/globalmount', 'csi.example.com/<sha>/vol_data.json']
const oldStaged = ['pv/pv1/globalmount', 'pv/pv1/vol_data.json']

describe('mountDevice()', () => {
  test.each([
    ['1.17.3', oldStaged],
    ['1.21.2', oldStaged],
    ['1.26.5', staged],
    ['1.36.2', staged],
  ])('of %s makes the directory, writes whose it is, and stages', async (version, expected) => {
    const {steps, error} = await mounted({profile: profileOf(version)})
    expect(error).toBeUndefined()
    expect(steps.calls()).toEqual(['NodeStageVolume'])
    expect(steps.left()).toEqual(expected)
  })

  // What is left, and whether the operation is finished.
  test.each([
    ['1.17.3', 'NodeStageVolume', 'DEADLINE_EXCEEDED', ['pv'], true],
    ['1.17.3', 'NodeStageVolume', 'INTERNAL', ['pv'], true],
    ['1.17.3', 'NodeGetCapabilities', 'UNAVAILABLE', ['pv'], true],
    ['1.18.2', 'NodeStageVolume', 'DEADLINE_EXCEEDED', oldStaged, false],
    ['1.18.2', 'NodeStageVolume', 'INVALID_ARGUMENT', ['pv'], true],
    ['1.18.2', 'NodeGetCapabilities', 'UNAVAILABLE', [], true],
    ['1.26.5', 'NodeStageVolume', 'ABORTED', staged, false],
    ['1.26.5', 'NodeStageVolume', 'NOT_FOUND', ['csi.example.com'], true],
    ['1.26.5', 'NodeGetCapabilities', 'UNAVAILABLE', [], true],
    ['1.36.2', 'NodeStageVolume', 'DEADLINE_EXCEEDED', staged, false],
    ['1.36.2', 'NodeStageVolume', 'INTERNAL', ['csi.example.com'], true],
    ['1.36.2', 'NodeGetCapabilities', 'UNAVAILABLE', [], false],
    ['1.36.2', 'NodeGetCapabilities', 'INTERNAL', [], true],
  ] as const)('of %s when %s is answered %s', async (version, method, code, expected, finished) => {
    const {steps, error} = await mounted({profile: profileOf(version), answers: {[method]: code}})
    expect(error).toBeInstanceOf(Error)
    expect(isOperationFinished(error)).toBe(finished)
    expect(steps.left()).toEqual(expected)
  })

  test.each([
    ['1.26.5', true],
    ['1.36.2', false],
  ])('of %s when no driver is registered', async (version, finished) => {
    const {steps, error} = await mounted({profile: profileOf(version), registered: false})
    expect(error).toMatchObject({message: 'driver name csi.example.com not found in the list of registered CSI drivers'})
    expect(isOperationFinished(error)).toBe(finished)
    expect(steps.left()).toEqual([])
  })

  test.each([
    [true, [], true],
    [false, oldStaged, true],
    [true, [], false],
    [false, oldStaged, false],
  ])('with capability-asked-first, %s, has %j while the driver is asked whether it stages', async (on, expected, answered) => {
    let asked: string[] | undefined
    const does: StepsOptions['does'] = async (method, _request, disk) => {
      if (method !== 'NodeGetCapabilities') return
      asked = leftOn(disk)
      if (!answered) throw new CallFailure('UNAVAILABLE', 'injected')
    }
    const {steps} = await mounted({profile: switched('1.17.3', 'capability-asked-first', on), does})
    expect(asked).toEqual(expected)
    expect(steps.left()).toEqual(answered ? oldStaged : on ? [] : ['pv'])
  })

  test.each([
    ['1.18.2', 2, oldStaged],
    ['1.21.2', 2, oldStaged],
    ['1.26.5', 3, staged],
  ])('of %s leaves what an earlier try has made when the driver cannot be asked then', async (version, times, expected) => {
    const profile = profileOf(version)
    const asked = [...Array<string>(times - 1).fill('OK'), 'UNAVAILABLE']
    const {steps, path} = await mounted({profile, answers: {NodeStageVolume: 'DEADLINE_EXCEEDED', NodeGetCapabilities: asked}})
    await expect(csiAttacher(steps.host).mountDevice(spec(), path)).rejects.toThrow('Unavailable')
    expect(steps.calls()).toEqual(['NodeStageVolume'])
    expect(steps.left()).toEqual(expected)
  })

  test.each([
    [true, false, staged.slice(0, 1)],
    [false, false, staged],
    [true, true, staged],
  ])('with data-to-stage-only, %s, of a driver that stages, %s', async (on, stages, expected) => {
    const profile = switched('1.36.2', 'data-to-stage-only', on)
    const {steps} = await mounted({profile, capabilities: stages ? ['STAGE_UNSTAGE_VOLUME'] : []})
    expect(steps.left()).toEqual(expected)
    expect(steps.calls()).toEqual(stages ? ['NodeStageVolume'] : [])
  })

  test.each([
    [true, ['NodeStageVolume']],
    [false, []],
  ])('where something is mounted already, with mounts-not-trusted, %s', async (on, expected) => {
    const profile = switched('1.21.2', 'mounts-not-trusted', on)
    const steps = csiSteps({profile})
    const path = deviceMountPath(profile)(spec())
    await steps.disk.mkdirAll(path)
    await steps.disk.mount(steps.disk.makeFilesystem('other'), path)
    await csiAttacher(steps.host).mountDevice(spec(), path)
    expect(steps.calls()).toEqual(expected)
  })

  test('fails transiently when the driver does not say whether it sets groups', async () => {
    const {error} = await mounted({profile: profileOf('1.26.5'), answers: {NodeGetCapabilities: ['OK', 'INTERNAL']}})
    expect(isOperationFinished(error)).toBe(false)
  })
})

describe('unmountDevice()', () => {
  const torn = async (
    options: StepsOptions,
    before: (steps: ReturnType<typeof csiSteps>, path: string) => Promise<void> = async () => {},
  ) => {
    const steps = csiSteps(options)
    const path = deviceMountPath(options.profile)(spec())
    const attacher = csiAttacher(steps.host)
    await attacher.mountDevice(spec(), path)
    steps.requests.length = 0
    await before(steps, path)
    const error = await attacher.unmountDevice(spec(), path).catch((failure) => failure)
    return {steps, error}
  }
  const forgotten = async ({disk}: ReturnType<typeof csiSteps>, path: string) => disk.unlink(path.replace(/globalmount$/, 'vol_data.json'))

  test.each(['1.17.3', '1.18.2', '1.21.2', '1.26.5', '1.36.2'])('of %s unstages and leaves nothing', async (version) => {
    const {steps, error} = await torn({profile: profileOf(version)})
    expect(error).toBeUndefined()
    expect(steps.calls()).toEqual(['NodeUnstageVolume'])
    expect(steps.left().filter((path) => path.includes('/'))).toEqual([])
  })

  test.each(['NOT_FOUND', 'INTERNAL', 'DEADLINE_EXCEEDED'])('takes %s for a failure and leaves all', async (code) => {
    const {steps, error} = await torn({profile: profileOf('1.36.2'), answers: {NodeUnstageVolume: code}})
    expect(error).toBeInstanceOf(Error)
    expect(steps.left()).toEqual(staged)
  })

  test('asks the driver nothing more when it cannot be asked what it can do', async () => {
    const {steps, error} = await torn(
      {profile: profileOf('1.36.2'), answers: {NodeGetCapabilities: ['OK', 'OK', 'OK', 'UNAVAILABLE']}},
      async ({requests}) => {
        // The counting goes on.
        for (let count = 0; count < 3; count++) requests.push(['NodeGetCapabilities', {}])
      },
    )
    expect(error).toMatchObject({message: expect.stringContaining('failed to check whether STAGE_UNSTAGE_VOLUME set')})
    expect(steps.calls()).toEqual([])
  })

  test.each([
    [true, []],
    [false, ['NodeUnstageVolume']],
  ])('of a volume whose vol_data.json is gone, with stage-json-gone-is-done, %s', async (on, expected) => {
    const {steps, error} = await torn({profile: switched('1.36.2', 'stage-json-gone-is-done', on)}, forgotten)
    expect(error).toBeUndefined()
    expect(steps.calls()).toEqual(expected)
  })

  test('leaves what is still mounted there', async () => {
    const {steps} = await torn({profile: profileOf('1.36.2')}, async ({disk}, path) => disk.mount(disk.makeFilesystem('other'), path))
    expect(steps.left()).toEqual([`${staged[0]} (mounted)`, staged[1]])
  })
})
