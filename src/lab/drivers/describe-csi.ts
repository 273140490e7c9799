// A call of a CSI driver as rules and people see it: the pod is told by the target's path, where there is one.

import type {CsiMethods} from '../../kubelet/csi.ts'
import type {PortCall} from '../port/port-call.ts'

type AnyRequest = Partial<CsiMethods['NodeStageVolume']['request'] & CsiMethods['NodePublishVolume']['request']>

/** Of a file system below pods/<uid>/, of a block volume the last name of publish/<volume>/<uid>. */
const uidIn = /\/pods\/([^/]+)\/|\/volumeDevices\/publish\/[^/]+\/([^/]+)$/

/** @param nameOf 'namespace/name' of a pod that there is or was */
export function describeCsi(driver: string, nameOf: (uid: string) => string | undefined): (method: string, request: object) => PortCall {
  return (method, request) => {
    const {volumeId, stagingTargetPath, targetPath} = request as AnyRequest
    const [, ofFilesystem, ofBlock] = uidIn.exec(targetPath ?? '') ?? []
    const pod = nameOf(ofFilesystem ?? ofBlock ?? '')
    const told = {
      driver,
      ...(volumeId === undefined ? {} : {volume: volumeId}),
      ...(stagingTargetPath === undefined ? {} : {stagingTargetPath}),
      ...(targetPath === undefined ? {} : {targetPath}),
    }
    return {to: 'csi', method, ...(pod === undefined ? {} : {pod}), request: told}
  }
}
