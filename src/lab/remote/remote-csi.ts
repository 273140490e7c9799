// A real CSI driver as the kubelet of the lab calls it: each call on a connection of its own. Upstream: volume/csi/csi_client.go
//
// Secrets, mount options and groups of files are not modelled. Of a driver with SINGLE_NODE_MULTI_WRITER the kubelet asks
// ReadWriteOnce as that; here it is SINGLE_NODE_WRITER, which every driver must know.
import type {MessageInitShape} from '@bufbuild/protobuf'
import {type Client, createClient} from '@connectrpc/connect'
import type {CsiMethods, NodeCapability, VolumeMode, VolumeUse} from '../../kubelet/csi.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {CsiPort} from '../../kubelet/ports.ts'
import {isInlineHandle} from '../../kubelet/traces/vol-record.ts'
import {Node, NodeServiceCapability_RPC_Type, VolumeCapability_AccessMode_Mode, type VolumeCapabilitySchema} from '../../wire/gen/csi_pb.ts'
import {type CallTarget, callWithin, type Within} from './call-within.ts'
import {callOnce} from './connection.ts'
import {type PodNames, podInfo} from './pod-info.ts'

export interface RemoteCsiOptions extends CallTarget {
  /** Of the kubelet's paths. */
  readonly realPath: (path: string) => string
  readonly podNames: PodNames
  /** What the attacher was told when it attached a volume. Default: nothing, of no volume. */
  readonly publishContext?: Readonly<Record<string, string>>
}

/** grpc-go's limit, which the kubelet leaves as it is. */
const maxMessageBytes = 4 * 1024 * 1024

export function remoteCsi(options: RemoteCsiOptions): CsiPort {
  const handlers = csiHandlers(options) as unknown as Readonly<Record<string, Handler | undefined>>
  return {
    call: async (method, request, callOptions) => {
      const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
      if (handler === undefined) throw new CallFailure('UNIMPLEMENTED', `unknown method ${method}`)
      return (await onConnection(options, callOptions, (node, within) => handler(request, node, within))) as never
    },
  }
}

/** One call of a driver's node service. @throws CallFailure */
export function onConnection<T>(
  target: CallTarget,
  options: Parameters<CsiPort['call']>[2],
  work: (node: NodeClient, within: Within) => Promise<T>,
): Promise<T> {
  return callWithin(target, options, (within) =>
    callOnce(target, maxMessageBytes, (transport) => work(createClient(Node, transport), within)),
  )
}

type NodeClient = Client<typeof Node>

type Handler = (request: object, node: NodeClient, within: Within) => Promise<unknown>

type CsiHandlers = {
  readonly [Method in keyof CsiMethods as string extends Method ? never : number extends Method ? never : Method]: (
    request: CsiMethods[Method]['request'],
    node: NodeClient,
    within: Within,
  ) => Promise<CsiMethods[Method]['response']>
}

function csiHandlers({realPath, podNames, publishContext = {}}: RemoteCsiOptions): CsiHandlers {
  return {
    NodeGetCapabilities: async (_, node, within) => {
      const {capabilities} = await node.nodeGetCapabilities({}, within)
      return {capabilities: capabilities.flatMap(({type}) => (type.case === 'rpc' ? (known.get(type.value.type) ?? []) : []))}
    },
    NodeStageVolume: ({volumeId, stagingTargetPath, volumeMode, ...use}, node, within) =>
      node.nodeStageVolume(
        {
          volumeId,
          stagingTargetPath: realPath(stagingTargetPath),
          volumeCapability: capabilityOf(volumeMode, use),
          publishContext: {...publishContext},
          volumeContext: {...use.volumeContext},
        },
        within,
      ),
    NodeUnstageVolume: ({volumeId, stagingTargetPath}, node, within) =>
      node.nodeUnstageVolume({volumeId, stagingTargetPath: realPath(stagingTargetPath)}, within),
    NodePublishVolume: ({volumeId, stagingTargetPath, targetPath, volumeMode, readonly, ...use}, node, within) =>
      node.nodePublishVolume(
        {
          volumeId,
          ...(stagingTargetPath !== undefined && {stagingTargetPath: realPath(stagingTargetPath)}),
          targetPath: realPath(targetPath),
          volumeCapability: capabilityOf(volumeMode, use),
          publishContext: {...publishContext},
          readonly,
          // That the driver's object asks for it is taken for granted.
          volumeContext: {...use.volumeContext, ...podInfo(targetPath, isInlineHandle(volumeId), podNames)},
        },
        within,
      ),
    NodeUnpublishVolume: ({volumeId, targetPath}, node, within) =>
      node.nodeUnpublishVolume({volumeId, targetPath: realPath(targetPath)}, within),
  }
}

const known: ReadonlyMap<NodeServiceCapability_RPC_Type, NodeCapability> = new Map([
  [NodeServiceCapability_RPC_Type.STAGE_UNSTAGE_VOLUME, 'STAGE_UNSTAGE_VOLUME'],
  [NodeServiceCapability_RPC_Type.GET_VOLUME_STATS, 'GET_VOLUME_STATS'],
  [NodeServiceCapability_RPC_Type.EXPAND_VOLUME, 'EXPAND_VOLUME'],
])

function capabilityOf(
  mode: VolumeMode,
  {accessMode = 'ReadWriteOnce', fsType = ''}: VolumeUse,
): MessageInitShape<typeof VolumeCapabilitySchema> {
  const access = {accessMode: {mode: accessModes[accessMode]}}
  if (mode === 'Block') return {...access, accessType: {case: 'block', value: {}}}
  return {...access, accessType: {case: 'mount', value: {fsType}}}
}

const accessModes: Readonly<Record<NonNullable<VolumeUse['accessMode']>, VolumeCapability_AccessMode_Mode>> = {
  ReadWriteOnce: VolumeCapability_AccessMode_Mode.SINGLE_NODE_WRITER,
  ReadOnlyMany: VolumeCapability_AccessMode_Mode.MULTI_NODE_READER_ONLY,
  ReadWriteMany: VolumeCapability_AccessMode_Mode.MULTI_NODE_MULTI_WRITER,
  // To a driver that knows no more modes than these.
  ReadWriteOncePod: VolumeCapability_AccessMode_Mode.SINGLE_NODE_WRITER,
}
