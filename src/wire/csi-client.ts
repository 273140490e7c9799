// The calls to a CSI driver that change nothing in it.
import {createClient} from '@connectrpc/connect'
import {type ChannelOptions, openChannel} from './channel.ts'
import {
  type GetPluginInfoResponse,
  Identity,
  Node,
  type NodeGetCapabilitiesResponse,
  type NodeGetInfoResponse,
  type ProbeResponse,
} from './gen/csi_pb.ts'

/** grpc-go's limit, which the kubelet leaves as it is. */
const maxMessageBytes = 4 * 1024 * 1024

/** Every call throws RpcFailure. */
export interface CsiClient extends Disposable {
  getPluginInfo(): Promise<GetPluginInfoResponse>
  probe(): Promise<ProbeResponse>
  nodeGetCapabilities(): Promise<NodeGetCapabilitiesResponse>
  nodeGetInfo(): Promise<NodeGetInfoResponse>
}

/** @throws RpcFailure */
export async function openCsi(options: ChannelOptions): Promise<CsiClient> {
  const channel = await openChannel(options, maxMessageBytes)
  const {transport, call} = channel
  const signal = options.signal ? {signal: options.signal} : {}
  const identity = createClient(Identity, transport)
  const node = createClient(Node, transport)
  return {
    getPluginInfo: () => call('GetPluginInfo', signal, (within) => identity.getPluginInfo({}, {signal: within})),
    probe: () => call('Probe', signal, (within) => identity.probe({}, {signal: within})),
    nodeGetCapabilities: () => call('NodeGetCapabilities', signal, (within) => node.nodeGetCapabilities({}, {signal: within})),
    nodeGetInfo: () => call('NodeGetInfo', signal, (within) => node.nodeGetInfo({}, {signal: within})),
    [Symbol.dispose]: () => channel[Symbol.dispose](),
  }
}
