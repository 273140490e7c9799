// What follows from how a call ended: whether the kubelet takes the error for the last word, and which call must undo it some day.
import {type ErrorClass, errorClass, goCode} from '../../../kubelet/volumes/error-class.ts'
import type {CalledMethod} from '../call-head.ts'

/** The kubelet asks that of these two alone (csi_client.go, isFinalError). */
export function errorClassOf({to, method}: CalledMethod, code: string): ErrorClass | undefined {
  if (to !== 'csi' || code === 'OK' || (method !== 'NodeStageVolume' && method !== 'NodePublishVolume')) return undefined
  return errorClass(goCode(code))
}

const undoing: Readonly<Record<string, string>> = {
  'csi NodeStageVolume': 'NodeUnstageVolume',
  'csi NodePublishVolume': 'NodeUnpublishVolume',
  'cri RunPodSandbox': 'StopPodSandbox',
  'cri CreateContainer': 'RemoveContainer',
}

/**
 * @param reached the server got the call
 * @param codes what the server made of it; undefined where nobody has heard, so that it may have done it
 */
export function owedAfter(
  {to, method}: CalledMethod,
  reached: boolean,
  [first, second]: readonly (string | undefined)[],
): string | undefined {
  if (!reached) return undefined
  return mayHaveHappened(first) || (second !== undefined && mayHaveHappened(second)) ? undoing[`${to} ${method}`] : undefined
}

function mayHaveHappened(code: string | undefined): boolean {
  return code === undefined || code === 'OK' || errorClass(goCode(code)) === 'uncertain'
}
