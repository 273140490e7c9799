// A CSI driver of somebody else's: what it says of itself, and the volumes that it makes to be used and removed again.
import type {MessageInitShape} from '@bufbuild/protobuf'
import {createClient, type Transport} from '@connectrpc/connect'
import type {ScaledClock} from '../../base/scaled-clock.ts'
import type {NodeCapability, VolumeMode} from '../../kubelet/csi.ts'
import {
  VolumeCapability_AccessMode_Mode as AccessMode,
  Controller,
  ControllerServiceCapability_RPC_Type as ControllerCapability,
  type CreateVolumeRequestSchema,
  Identity,
  Node,
  NodeServiceCapability_RPC_Type as NodeCapabilityType,
  PluginCapability_Service_Type as PluginService,
  type VolumeCapabilitySchema,
} from '../../wire/gen/csi_pb.ts'
import {callWithin, type Within} from './call-within.ts'
import {callOnce} from './connection.ts'

export interface Examinee {
  readonly name: string
  readonly vendorVersion: string
  readonly capabilities: readonly NodeCapability[]
  /** It has a controller that makes and removes volumes. */
  readonly makesVolumes: boolean
  /** Attached to its node, if it wants that. */
  createVolume(request: VolumeRequest): Promise<MadeVolume>
  deleteVolume(handle: string): Promise<void>
}

export interface VolumeRequest {
  readonly name: string
  readonly mode: VolumeMode
  readonly fsType: string
  readonly parameters: Readonly<Record<string, string>>
}

export interface MadeVolume {
  readonly handle: string
  readonly context: Readonly<Record<string, string>>
  /** What attaching it brought. */
  readonly publishContext: Readonly<Record<string, string>>
}

export interface ExamineeOptions {
  /** Of its socket. */
  readonly path: string
  readonly clock: ScaledClock
  readonly signal: AbortSignal
}

/** Of questions that the exam does not judge: what a driver says of itself it has at hand. */
const saysWithin = 15_000
const makesWithin = 60_000
const maxMessageBytes = 4 * 1024 * 1024
const mebibytes = 2n ** 20n

/** @throws CallFailure */
export async function openExaminee(options: ExamineeOptions): Promise<Examinee> {
  const {clock, signal} = options
  // Its time is real here.
  const target = {...options, clock: {...clock.real, scale: 1, real: clock.real, fromReal: (moment: number) => moment}}
  const asked = <T>(
    timeoutMs: number,
    own: AbortSignal | undefined,
    work: (transport: Transport, within: Within) => Promise<T>,
  ): Promise<T> =>
    callWithin(target, {timeoutMs, ...(own && {signal: own})}, (within) =>
      callOnce(target, maxMessageBytes, (transport) => work(transport, within)),
    )
  const ask = <T>(work: (transport: Transport, within: Within) => Promise<T>): Promise<T> => asked(saysWithin, signal, work)
  const make = <T>(work: (transport: Transport, within: Within) => Promise<T>): Promise<T> => asked(makesWithin, signal, work)
  /** Also when everything else is to end. */
  const undo = <T>(work: (transport: Transport, within: Within) => Promise<T>): Promise<T> => asked(makesWithin, undefined, work)
  const {name, vendorVersion} = await ask((transport, within) => createClient(Identity, transport).getPluginInfo({}, within))
  const plugin = await ask((transport, within) => createClient(Identity, transport).getPluginCapabilities({}, within))
  const node = await ask((transport, within) => createClient(Node, transport).nodeGetCapabilities({}, within))
  const hasController = plugin.capabilities.some(
    ({type}) => type.case === 'service' && type.value.type === PluginService.CONTROLLER_SERVICE,
  )
  const controller = hasController
    ? await ask((transport, within) => createClient(Controller, transport).controllerGetCapabilities({}, within))
    : {capabilities: []}
  const can = (wanted: ControllerCapability) => controller.capabilities.some(({type}) => type.case === 'rpc' && type.value.type === wanted)
  const attaches = can(ControllerCapability.PUBLISH_UNPUBLISH_VOLUME)
  const {nodeId = ''} = attaches ? await ask((transport, within) => createClient(Node, transport).nodeGetInfo({}, within)) : {}
  return {
    name,
    vendorVersion,
    capabilities: node.capabilities.flatMap(({type}) => (type.case === 'rpc' ? (nodeCapabilities.get(type.value.type) ?? []) : [])),
    makesVolumes: can(ControllerCapability.CREATE_DELETE_VOLUME),
    createVolume: async ({name: volume, mode, fsType, parameters}) => {
      const accessMode = {mode: AccessMode.SINGLE_NODE_WRITER}
      const volumeCapability: MessageInitShape<typeof VolumeCapabilitySchema> = {
        accessMode,
        accessType: mode === 'Block' ? {case: 'block', value: {}} : {case: 'mount', value: {fsType}},
      }
      const request: MessageInitShape<typeof CreateVolumeRequestSchema> = {
        name: volume,
        capacityRange: {requiredBytes: 64n * mebibytes},
        volumeCapabilities: [volumeCapability],
        parameters: {...parameters},
      }
      const made = await make((transport, within) => createClient(Controller, transport).createVolume(request, within))
      const {volumeId = '', volumeContext = {}} = made.volume ?? {}
      if (!attaches) return {handle: volumeId, context: volumeContext, publishContext: {}}
      const attaching = {volumeId, nodeId, volumeCapability, volumeContext}
      const {publishContext} = await make((transport, within) =>
        createClient(Controller, transport).controllerPublishVolume(attaching, within),
      )
      return {handle: volumeId, context: volumeContext, publishContext}
    },
    deleteVolume: async (volumeId) => {
      if (attaches)
        await undo((transport, within) => createClient(Controller, transport).controllerUnpublishVolume({volumeId, nodeId}, within))
      await undo((transport, within) => createClient(Controller, transport).deleteVolume({volumeId}, within))
    },
  }
}

const nodeCapabilities: ReadonlyMap<NodeCapabilityType, NodeCapability> = new Map([
  [NodeCapabilityType.STAGE_UNSTAGE_VOLUME, 'STAGE_UNSTAGE_VOLUME'],
  [NodeCapabilityType.GET_VOLUME_STATS, 'GET_VOLUME_STATS'],
  [NodeCapabilityType.EXPAND_VOLUME, 'EXPAND_VOLUME'],
])
