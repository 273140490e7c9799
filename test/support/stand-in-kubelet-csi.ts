// The kubelet's CSI calls (csi_client.go): each on a connection of its own, logged before it is made and measured after.

import {RpcFailure} from '../../src/wire/rpc-failure.ts'
import {nodeGetCapabilities, nodeGetInfo, nodePublish, nodeStage, nodeUnpublish, nodeUnstage} from './csi-calls.ts'
import {CallFailure} from './csi-calls-wire.ts'
import type {KubeletLog} from './stand-in-kubelet-log.ts'
import type {KubeletMetrics} from './stand-in-kubelet-metrics.ts'
import {type PodVolume, publishContext} from './stand-in-kubelet-volume.ts'

export interface KubeletCsi {
  /** The sockets of the registered drivers by name. */
  readonly drivers: Map<string, string>
  getInfo(driver: string): Promise<void>
  has(driver: string, capability: keyof typeof capabilities): Promise<boolean>
  stage(volume: PodVolume, stagingPath: string): Promise<void>
  publish(volume: PodVolume, stagingPath: string, targetPath: string): Promise<void>
  unpublish(volume: PodVolume, targetPath: string): Promise<void>
  unstage(volume: PodVolume, stagingPath: string): Promise<void>
}

const capabilities = {STAGE_UNSTAGE_VOLUME: 1, SINGLE_NODE_MULTI_WRITER: 5, VOLUME_MOUNT_GROUP: 6} as const

const codes = ['OK', 'Canceled', 'Unknown', 'InvalidArgument', 'DeadlineExceeded', 'NotFound', 'AlreadyExists', 'PermissionDenied']
const moreCodes = ['ResourceExhausted', 'FailedPrecondition', 'Aborted', 'OutOfRange', 'Unimplemented', 'Internal', 'Unavailable']
const codeNames = [...codes, ...moreCodes, 'DataLoss', 'Unauthenticated']

export function kubeletCsi(log: KubeletLog, metrics: KubeletMetrics): KubeletCsi {
  const drivers = new Map<string, string>()
  const call = async <T>(driver: string, method: string, work: (socket: string) => Promise<T>): Promise<T> => {
    const socket = drivers.get(driver)
    if (socket === undefined) throw new Error(`driver name ${driver} not found in the list of registered CSI drivers`)
    log.info('csi_client.go:534', `"kubernetes.io/csi: creating new gRPC connection" protocol="unix" endpoint=${socket}`)
    const start = performance.now()
    const observe = (code: number) => {
      const labels = {driver_name: driver, grpc_status_code: codeNames[code] ?? 'Unknown', method_name: `/csi.v1.Node/${method}`}
      metrics.observe('csi_operations_seconds', {...labels, migrated: 'false'}, (performance.now() - start) / 1000)
    }
    try {
      const reply = await work(socket)
      observe(0)
      return reply
    } catch (error) {
      observe(error instanceof CallFailure ? error.code : 14)
      throw new Error(inGo(error, socket), {cause: error})
    }
  }
  const has: KubeletCsi['has'] = async (driver, capability) => {
    const asks = `calling NodeGetCapabilities rpc to determine if the node service has ${capability} capability`
    log.info('csi_client.go:671', `kubernetes.io/csi: ${asks}`)
    return (await call(driver, 'NodeGetCapabilities', nodeGetCapabilities)).includes(capabilities[capability])
  }
  const calling = (source: string, method: string, {handle}: PodVolume, path: string) =>
    log.info(source, `"kubernetes.io/csi: calling ${method} rpc" volID="${handle}" ${path}`)
  return {
    drivers,
    has,
    getInfo: async (driver) => {
      log.info('csi_client.go:177', '"kubernetes.io/csi: calling NodeGetInfo rpc"')
      await call(driver, 'NodeGetInfo', nodeGetInfo)
    },
    stage: async (volume, stagingPath) => {
      calling('csi_client.go:397', 'NodeStageVolume', volume, `stagingTargetPath="${stagingPath}"`)
      await has(volume.driver, 'SINGLE_NODE_MULTI_WRITER')
      const {handle, block, driver} = volume
      await call(driver, 'NodeStageVolume', (socket) => nodeStage(socket, {handle, stagingPath, block}))
    },
    publish: async (volume, stagingPath, targetPath) => {
      calling('csi_client.go:225', 'NodePublishVolume', volume, `targetPath="${targetPath}"`)
      await has(volume.driver, 'SINGLE_NODE_MULTI_WRITER')
      const {handle, block, driver} = volume
      const request = {handle, stagingPath, targetPath, block, context: publishContext(volume)}
      await call(driver, 'NodePublishVolume', (socket) => nodePublish(socket, request))
    },
    unpublish: async (volume, targetPath) => {
      calling('csi_client.go:360', 'NodeUnpublishVolume', volume, `targetPath="${targetPath}"`)
      await call(volume.driver, 'NodeUnpublishVolume', (socket) => nodeUnpublish(socket, volume.handle, targetPath))
    },
    unstage: async (volume, stagingPath) => {
      calling('csi_client.go:457', 'NodeUnstageVolume', volume, `stagingTargetPath="${stagingPath}"`)
      await call(volume.driver, 'NodeUnstageVolume', (socket) => nodeUnstage(socket, volume.handle, stagingPath))
    },
  }
}

/** As grpc-go 1.49 words it, which is how it gets into the kubelet's log. */
function inGo(error: unknown, socket: string): string {
  if (error instanceof CallFailure) return `rpc error: code = ${codeNames[error.code]} desc = ${error.said}`
  const why = error instanceof RpcFailure && error.kind === 'refused' ? 'connect: connection refused' : 'connect: no such file or directory'
  return `rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial unix ${socket}: ${why}"`
}
