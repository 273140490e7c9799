// A claim with the volume that it is bound to. Upstream: desired_state_of_world_populator.go, getPVCExtractPV and getPVSpec
import type {BoundClaim} from '../../kubelet/pod.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {RestClient} from './rest-client.ts'

interface Claim {
  readonly metadata?: {readonly uid?: string}
  readonly spec?: {readonly volumeName?: string}
  readonly status?: {readonly phase?: string}
}

interface PersistentVolume {
  readonly spec?: {
    readonly volumeMode?: 'Filesystem' | 'Block'
    readonly csi?: {readonly driver?: string; readonly volumeHandle?: string}
  }
}

export async function boundClaim(
  client: RestClient,
  {namespace, name}: {readonly namespace: string; readonly name: string},
  signal: AbortSignal | undefined,
): Promise<BoundClaim> {
  const get = (path: string) => client.call({method: 'GET', path, ...(signal && {signal})})
  const claim = (await get(
    `/api/v1/namespaces/${encodeURIComponent(namespace)}/persistentvolumeclaims/${encodeURIComponent(name)}`,
  )) as Claim
  const volumeName = claim.spec?.volumeName
  if (claim.status?.phase !== 'Bound' || !volumeName) throw new CallFailure('NotBound', `PVC ${namespace}/${name} is not bound`)
  const {spec} = (await get(`/api/v1/persistentvolumes/${encodeURIComponent(volumeName)}`)) as PersistentVolume
  const {driver, volumeHandle} = spec?.csi ?? {}
  if (!driver || !volumeHandle) throw new CallFailure('NotSupported', `volume ${volumeName} is of no CSI driver`)
  return {namespace, name, volumeName, driver, volumeHandle, volumeMode: spec?.volumeMode ?? 'Filesystem'}
}
