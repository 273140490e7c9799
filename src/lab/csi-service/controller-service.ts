// The controller service of a driver of the lab: it makes volumes, and does nothing to the node.
import type {ServiceImpl} from '@connectrpc/connect'
import {CallFailure} from '../../kubelet/port.ts'
import {ControllerServiceCapability_RPC_Type as Capability, type Controller} from '../../wire/gen/csi_pb.ts'
import type {Provisioned, ProvisionedVolume} from './provisioned.ts'
import {bytesOf, commonMode, invalid, required, requiredMode} from './request-fields.ts'

const capabilities = [
  Capability.CREATE_DELETE_VOLUME,
  Capability.PUBLISH_UNPUBLISH_VOLUME,
  Capability.PUBLISH_READONLY,
  Capability.LIST_VOLUMES,
  Capability.LIST_VOLUMES_PUBLISHED_NODES,
  Capability.GET_CAPACITY,
  Capability.EXPAND_VOLUME,
]

export function controllerService(volumes: Provisioned, nodeId: string): Partial<ServiceImpl<typeof Controller>> {
  const known = (handle: string): ProvisionedVolume => {
    const found = volumes.get(handle)
    if (found === undefined) throw new CallFailure('NOT_FOUND', `volume ${handle} does not exist`)
    return found
  }
  return {
    controllerGetCapabilities: () => ({capabilities: capabilities.map((type) => ({type: {case: 'rpc', value: {type}}}))}),
    createVolume: ({name, volumeCapabilities, capacityRange, parameters, volumeContentSource}) => {
      required(name, 'name')
      const mode = commonMode(volumeCapabilities)
      if (volumeContentSource !== undefined) invalid('a volume cannot be made from another or from a snapshot')
      return {volume: messageOf(volumes.create({name, mode, ...bytesOf(capacityRange), parameters}))}
    },
    deleteVolume: ({volumeId}) => {
      volumes.remove(required(volumeId, 'volume id'))
      return {}
    },
    controllerPublishVolume: ({volumeId, nodeId: node, volumeCapability, readonly}) => {
      required(volumeId, 'volume id')
      required(node, 'node id')
      const mode = requiredMode(volumeCapability)
      if (known(volumeId).mode !== mode) invalid(`volume ${volumeId} cannot be used with mode ${mode}: it has ${known(volumeId).mode}`)
      if (node !== nodeId) throw new CallFailure('NOT_FOUND', `node ${node} does not exist: there is ${nodeId}`)
      volumes.attach(volumeId, node, readonly)
      return {}
    },
    // Of what nobody knows there is nothing to undo: the specification has it answered with OK.
    controllerUnpublishVolume: ({volumeId, nodeId: node}) => {
      volumes.detach(required(volumeId, 'volume id'), node === '' ? undefined : node)
      return {}
    },
    validateVolumeCapabilities: ({volumeId, volumeCapabilities, volumeContext, parameters}) => {
      const {mode} = known(required(volumeId, 'volume id'))
      const asked = commonMode(volumeCapabilities)
      if (asked !== mode) return {message: `volume ${volumeId} has mode ${mode}`}
      return {confirmed: {volumeCapabilities, volumeContext, parameters}}
    },
    listVolumes: ({maxEntries, startingToken}) => {
      if (maxEntries < 0) invalid(`max_entries must not be below 0: it is ${maxEntries}`)
      const all = volumes.list()
      const start = startOf(startingToken, all.length)
      const end = maxEntries === 0 ? all.length : Math.min(start + maxEntries, all.length)
      const entries = all.slice(start, end).map((volume) => ({
        volume: messageOf(volume),
        status: {publishedNodeIds: [...volume.attachedTo.keys()]},
      }))
      return {entries, nextToken: end < all.length ? String(end) : ''}
    },
    controllerExpandVolume: ({volumeId, capacityRange}) => {
      required(volumeId, 'volume id')
      if (capacityRange === undefined) invalid('capacity range missing in request')
      const {required: bytes, limit} = bytesOf(capacityRange)
      return {capacityBytes: volumes.expand(known(volumeId).handle, bytes, limit), nodeExpansionRequired: true}
    },
    getCapacity: () => ({availableCapacity: volumes.available()}),
  }
}

/** The specification's code for a token that is none is ABORTED: begin anew. */
function startOf(token: string, count: number): number {
  if (token === '') return 0
  const start = /^\d{1,9}$/.test(token) ? Number(token) : Number.NaN
  if (!(start <= count)) throw new CallFailure('ABORTED', `starting_token must be one that was given out: it is '${token}'`)
  return start
}

const messageOf = ({handle, capacity, parameters}: ProvisionedVolume) => ({
  volumeId: handle,
  capacityBytes: capacity,
  volumeContext: {...parameters},
})
