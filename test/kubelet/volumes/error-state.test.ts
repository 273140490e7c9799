// The state machine of kubernetes/kubernetes#82492 and #88660: what each answer makes of a device and of a mount.
import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {ActualWorld, type DeviceMountState, type VolumeMountState} from '../../../src/kubelet/volumes/actual-world.ts'
import {markDeviceErrorState, markVolumeErrorState} from '../../../src/kubelet/volumes/error-state.ts'
import {TransientOperationFailure, UncertainProgressError} from '../../../src/kubelet/volumes/progress-error.ts'
import {spec} from '../../support/csi-steps.ts'
import {switched} from '../../support/model-pods.ts'

const log = {log: () => {}}
const pod = {uid: 'u1', pod: 'default/web', spec: spec()}

function world(profile = profileOf('1.36.2')): ActualWorld {
  const actual = new ActualWorld(profile, () => {})
  actual.attached('v', spec())
  return actual
}

const errors = {
  'a final error': new Error('rpc error: code = Internal'),
  'an uncertain error': new UncertainProgressError('rpc error: code = DeadlineExceeded'),
  'a transient error': new TransientOperationFailure('no driver'),
  'an uncertain error in the text of another': new Error(`failed: ${new UncertainProgressError('timed out').message}`),
} as const

test.each<[DeviceMountState, keyof typeof errors, DeviceMountState]>([
  ['DeviceNotMounted', 'a final error', 'DeviceNotMounted'],
  ['DeviceNotMounted', 'an uncertain error', 'DeviceMountUncertain'],
  ['DeviceNotMounted', 'a transient error', 'DeviceNotMounted'],
  ['DeviceMountUncertain', 'a final error', 'DeviceNotMounted'],
  ['DeviceMountUncertain', 'an uncertain error', 'DeviceMountUncertain'],
  ['DeviceMountUncertain', 'a transient error', 'DeviceMountUncertain'],
  ['DeviceMountUncertain', 'an uncertain error in the text of another', 'DeviceNotMounted'],
  ['DeviceGloballyMounted', 'a final error', 'DeviceGloballyMounted'],
  ['DeviceGloballyMounted', 'an uncertain error', 'DeviceGloballyMounted'],
])('markDeviceErrorState() of %s after %s: %s', (from, error, to) => {
  const actual = world()
  actual.setDevice('v', from)
  markDeviceErrorState(log, actual, 'v', errors[error])
  expect(actual.deviceState('v')).toBe(to)
})

test.each<[VolumeMountState, keyof typeof errors, VolumeMountState]>([
  ['VolumeNotMounted', 'a final error', 'VolumeNotMounted'],
  ['VolumeNotMounted', 'an uncertain error', 'VolumeMountUncertain'],
  ['VolumeNotMounted', 'a transient error', 'VolumeNotMounted'],
  ['VolumeMountUncertain', 'a final error', 'VolumeNotMounted'],
  ['VolumeMountUncertain', 'an uncertain error', 'VolumeMountUncertain'],
  ['VolumeMountUncertain', 'a transient error', 'VolumeMountUncertain'],
  ['VolumeMounted', 'a final error', 'VolumeMounted'],
  ['VolumeMounted', 'an uncertain error', 'VolumeMounted'],
])('markVolumeErrorState() of %s after %s: %s', (from, error, to) => {
  const actual = world()
  if (from !== 'VolumeNotMounted') actual.setMount('v', pod, from)
  markVolumeErrorState(log, actual, 'v', pod, errors[error])
  expect(actual.mountState('v', 'u1')).toBe(to)
})

test.each([
  [true, 'DeviceMountUncertain'],
  [false, 'DeviceNotMounted'],
])('markDeviceErrorState() of a device that was found at the start, with reconstructed-kept, %s: %s', (on, to) => {
  const actual = world(switched('1.36.2', 'reconstructed-kept', on))
  actual.foundUncertain('v', pod)
  actual.setDevice('v', 'DeviceMountUncertain')
  markDeviceErrorState(log, actual, 'v', errors['a final error'])
  expect(actual.deviceState('v')).toBe(to)
})

test('markVolumeErrorState() leaves a mount that was found at the start uncertain, until it was mounted once', () => {
  const actual = world()
  actual.foundUncertain('v', pod)
  markVolumeErrorState(log, actual, 'v', pod, errors['a final error'])
  expect(actual.mountState('v', 'u1')).toBe('VolumeMountUncertain')
  actual.setMount('v', pod, 'VolumeMounted')
  actual.setMount('v', pod, 'VolumeMountUncertain')
  markVolumeErrorState(log, actual, 'v', pod, errors['a final error'])
  expect(actual.mountState('v', 'u1')).toBe('VolumeNotMounted')
})
