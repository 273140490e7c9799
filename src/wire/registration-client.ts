// Asks a socket of plugins_registry whose it is. The kubelet alone tells a plugin what became of its registration.
import {createClient} from '@connectrpc/connect'
import {type ChannelOptions, openChannel} from './channel.ts'
import {type PluginInfo, Registration} from './gen/registration_pb.ts'

/** grpc-go's limit, which the kubelet leaves as it is. */
const maxMessageBytes = 4 * 1024 * 1024

/** @throws RpcFailure */
export async function getPluginInfo(options: ChannelOptions): Promise<PluginInfo> {
  using channel = await openChannel(options, maxMessageBytes)
  const {signal} = options
  const service = createClient(Registration, channel.transport)
  return await channel.call('GetInfo', signal ? {signal} : {}, (within) => service.getInfo({}, {signal: within}))
}
