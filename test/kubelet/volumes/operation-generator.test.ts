import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {ActualWorld} from '../../../src/kubelet/volumes/actual-world.ts'
import {csiAttacher} from '../../../src/kubelet/volumes/csi-attacher.ts'
import {csiMounter} from '../../../src/kubelet/volumes/csi-mounter.ts'
import {deviceMountPath} from '../../../src/kubelet/volumes/csi-paths.ts'
import {filesystemOperations} from '../../../src/kubelet/volumes/operation-generator.ts'
import {uniqueNameOf} from '../../../src/kubelet/volumes/volume-spec.ts'
import {csiSteps, type StepsOptions, spec} from '../../support/csi-steps.ts'
import {aPod} from '../../support/model-pods.ts'

const profile = profileOf('1.36.2')
const name = uniqueNameOf(spec(), 'u1')
const mounted = {uid: 'u1', pod: 'default/web', spec: spec()}

function operationsOf(options: Omit<StepsOptions, 'profile'> = {}) {
  const steps = csiSteps({profile, ...options})
  const actual = new ActualWorld(profile, () => {})
  const {host} = steps
  const operations = filesystemOperations({
    host,
    actual,
    failedUndoIsUncertain: true,
    attacher: csiAttacher(host),
    mounter: csiMounter(host),
  })
  return {steps, actual, operations}
}

async function afterMount(options: Omit<StepsOptions, 'profile'> = {}) {
  const world = operationsOf(options)
  world.actual.attached(name, spec())
  await world.operations.mountVolume(name, spec(), aPod({metadata: {uid: 'u1'}})).run()
  world.steps.requests.length = 0
  return world
}

test.each([
  [true, 'VolumeMountUncertain'],
  [false, 'VolumeNotMounted'],
])('unmountVolume() that fails says why, and leaves in doubt what was known, %s', async (known, state) => {
  const {actual, operations} = await afterMount({answers: {NodeUnpublishVolume: 'INTERNAL'}})
  if (!known) {
    actual.unmounted(name, 'u1')
    actual.detached(name)
  }
  const operation = await operations.unmountVolume(name, mounted)
  await expect(operation.run()).rejects.toThrow('UnmountVolume.TearDown failed: Unmounter.TearDownAt failed: rpc error: code = Internal')
  expect(actual.mountState(name, 'u1')).toBe(state)
})

test.each([
  ['of another place', '/elsewhere', []],
  ['within its own staging directory', `${deviceMountPath(profile)(spec())}/inner`, ['NodeUnstageVolume']],
])('unmountDevice() heeds a second mount of the file system %s', async (_where, place, expected) => {
  const {steps, actual, operations} = await afterMount({
    does: async (method, {stagingTargetPath}, disk) => {
      if (method === 'NodeStageVolume') await disk.mount(disk.makeFilesystem('pv1'), `${stagingTargetPath}`)
    },
  })
  const path = deviceMountPath(profile)(spec())
  await steps.disk.mkdirAll(place)
  await steps.disk.bindMount(path, place)
  const volume = actual.get(name)
  if (volume === undefined) throw new Error('it is attached')
  const run = operations.unmountDevice(volume).run()
  if (expected.length === 0) await expect(run).rejects.toThrow(`still mounted by other references ${place}`)
  else await run
  expect(steps.calls()).toEqual(expected)
})
