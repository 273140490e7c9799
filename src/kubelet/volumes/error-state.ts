// What a failed stage or publish makes of the states. Upstream: operation_generator.go, markDeviceErrorState and markVolumeErrorState
import type {ActualWorld, MountedPod} from './actual-world.ts'
import type {CsiHost} from './csi-host.ts'
import {isOperationFinished, UncertainProgressError} from './progress-error.ts'

/** An answer ends the doubt of an earlier call, too, whatever that one still does (kubernetes/kubernetes#125625). */
export function markDeviceErrorState({log}: Pick<CsiHost, 'log'>, actual: ActualWorld, name: string, error: unknown): void {
  const state = actual.deviceState(name)
  if (isOperationFinished(error) && state === 'DeviceMountUncertain') {
    if (actual.isDeviceReconstructed(name)) log({text: 'MountVolume.markDeviceErrorState leaving volume uncertain', fields: {name}})
    else actual.setDevice(name, 'DeviceNotMounted')
  }
  // What was known to be mounted still is.
  if (error instanceof UncertainProgressError && state === 'DeviceNotMounted') actual.setDevice(name, 'DeviceMountUncertain')
}

export function markVolumeErrorState(
  {log}: Pick<CsiHost, 'log'>,
  actual: ActualWorld,
  name: string,
  pod: MountedPod,
  error: unknown,
): void {
  const state = actual.mountState(name, pod.uid)
  if (isOperationFinished(error) && state === 'VolumeMountUncertain') {
    if (actual.isReconstructed(name, pod.uid)) log({text: 'MountVolume.markVolumeErrorState leaving volume uncertain', fields: {name}})
    else actual.unmounted(name, pod.uid)
  }
  if (error instanceof UncertainProgressError && state === 'VolumeNotMounted') actual.setMount(name, pod, 'VolumeMountUncertain')
}
