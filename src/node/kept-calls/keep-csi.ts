// What a driver's socket and a registration's say of themselves. Of a registration nothing but GetInfo: the kubelet alone tells it more.

import type {Channel} from '../../wire/channel.ts'
import {Identity, Node} from '../../wire/gen/csi_pb.ts'
import {Registration} from '../../wire/gen/registration_pb.ts'
import {asker, type Keeper} from './keep-call.ts'

export async function keepDriver(channel: Channel, socket: string, keeper: Keeper): Promise<void> {
  const {ask} = asker(channel, socket, keeper)
  await ask(Identity.method.getPluginInfo, {})
  await Promise.all([
    ask(Identity.method.getPluginCapabilities, {}),
    ask(Identity.method.probe, {}),
    ask(Node.method.nodeGetInfo, {}),
    ask(Node.method.nodeGetCapabilities, {}),
  ])
}

export async function keepRegistration(channel: Channel, socket: string, keeper: Keeper): Promise<void> {
  await asker(channel, socket, keeper).ask(Registration.method.getInfo, {})
}
