// The node service of a driver of the lab: the calls that the model knows go through its port, where faults are, and the driver's own memory answers the others.
import type {ServiceImpl} from '@connectrpc/connect'
import type {CsiMethods} from '../../kubelet/csi.ts'
import {CallFailure} from '../../kubelet/port.ts'
import {NodeServiceCapability_RPC_Type as Capability, type Node, VolumeUsage_Unit as Unit} from '../../wire/gen/csi_pb.ts'
import {type SocketTarget, throughPort} from '../port/socket-call.ts'
import type {Provisioned, ProvisionedVolume} from './provisioned.ts'
import {required, requiredMode, requiredPath} from './request-fields.ts'

export interface NodeServiceOptions extends SocketTarget<CsiMethods> {
  readonly volumes: Provisioned
  readonly nodeId: string
  /** A path of a request as the driver's disk has it. */
  readonly toModel: (path: string) => string
}

export function nodeService({port, clock, volumes, nodeId, toModel}: NodeServiceOptions): Partial<ServiceImpl<typeof Node>> {
  const target = {port, clock}
  const pathOf = (path: string, what: string) => toModel(requiredPath(path, what))
  const stagingPath = (path: string) => pathOf(path, 'staging target path')
  const volumeAt = (volumeId: string, volumePath: string): ProvisionedVolume => {
    required(volumePath, 'volume path')
    const volume = volumes.get(required(volumeId, 'volume id'))
    if (volume === undefined) throw new CallFailure('NOT_FOUND', `volume ${volumeId} does not exist`)
    const path = toModel(volumePath)
    if (volume.stagedAt !== path && !volume.publishedAt.includes(path))
      throw new CallFailure('NOT_FOUND', `volume ${volumeId} is not at ${volumePath}`)
    return volume
  }
  return {
    nodeGetInfo: () => ({nodeId}),
    nodeGetCapabilities: async (_, context) => {
      const {capabilities} = await throughPort(target, 'NodeGetCapabilities', {}, context)
      return {capabilities: capabilities.map((name) => ({type: {case: 'rpc', value: {type: Capability[name]}}}))}
    },
    nodeStageVolume: async ({volumeId, stagingTargetPath, volumeCapability}, context) => {
      const request = {
        volumeId: required(volumeId, 'volume id'),
        stagingTargetPath: stagingPath(stagingTargetPath),
        volumeMode: requiredMode(volumeCapability),
      }
      await throughPort(target, 'NodeStageVolume', request, context)
      return {}
    },
    nodeUnstageVolume: async ({volumeId, stagingTargetPath}, context) => {
      const request = {volumeId: required(volumeId, 'volume id'), stagingTargetPath: stagingPath(stagingTargetPath)}
      await throughPort(target, 'NodeUnstageVolume', request, context)
      return {}
    },
    nodePublishVolume: async ({volumeId, stagingTargetPath, targetPath, volumeCapability, readonly}, context) => {
      const request = {
        volumeId: required(volumeId, 'volume id'),
        ...(stagingTargetPath === '' ? {} : {stagingTargetPath: stagingPath(stagingTargetPath)}),
        targetPath: pathOf(targetPath, 'target path'),
        volumeMode: requiredMode(volumeCapability),
        readonly,
      }
      await throughPort(target, 'NodePublishVolume', request, context)
      return {}
    },
    nodeUnpublishVolume: async ({volumeId, targetPath}, context) => {
      const request = {volumeId: required(volumeId, 'volume id'), targetPath: pathOf(targetPath, 'target path')}
      await throughPort(target, 'NodeUnpublishVolume', request, context)
      return {}
    },
    nodeGetVolumeStats: ({volumeId, volumePath}) => ({usage: usageOf(volumeAt(volumeId, volumePath))}),
    // What it is used as is no larger than what the controller made of it.
    nodeExpandVolume: ({volumeId, volumePath}) => ({capacityBytes: volumeAt(volumeId, volumePath).capacity}),
  }
}

/** It is as empty as it was made. A block volume does not know what of it is used. */
function usageOf({mode, capacity}: ProvisionedVolume) {
  if (mode === 'Block') return [{unit: Unit.BYTES, total: capacity}]
  const inodes = capacity / 16_384n
  return [
    {unit: Unit.BYTES, total: capacity, available: capacity},
    {unit: Unit.INODES, total: inodes, available: inodes},
  ]
}
