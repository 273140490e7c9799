// The calls of CSI and of plugin registration that a kubelet and a provisioner make, with the field numbers of csi.proto.
import {callUnary, decode, type Fields, type Reply, textOf} from './csi-calls-wire.ts'

export interface StageRequest {
  readonly handle: string
  readonly stagingPath: string
  readonly block: boolean
}

export interface PublishRequest {
  readonly handle: string
  /** Empty for an inline volume, which is never staged. */
  readonly stagingPath: string
  readonly targetPath: string
  readonly block: boolean
  readonly context?: ReadonlyMap<string, string>
}

export interface PluginInfo {
  readonly type: string
  readonly name: string
  readonly endpoint: string
}

const node = '/csi.v1.Node/'
const registration = '/pluginregistration.Registration/'
const singleNodeWriter = 1

function capability(block: boolean): Fields {
  return {...(block ? {1: {}} : {2: {1: 'ext4'}}), 3: {1: singleNodeWriter}}
}

/** The numbers of the RPC types: 1 is STAGE_UNSTAGE_VOLUME, 2 GET_VOLUME_STATS. */
export async function nodeGetCapabilities(socket: string): Promise<number[]> {
  const reply = await callUnary(socket, `${node}NodeGetCapabilities`, {})
  return messages(reply, 1).flatMap((each) => messages(each, 1).map((rpc) => Number(rpc.get(1)?.[0] ?? 0)))
}

export async function nodeStage(socket: string, {handle, stagingPath, block}: StageRequest): Promise<void> {
  await callUnary(socket, `${node}NodeStageVolume`, {1: handle, 3: stagingPath, 4: capability(block)})
}

export async function nodeUnstage(socket: string, handle: string, stagingPath: string): Promise<void> {
  await callUnary(socket, `${node}NodeUnstageVolume`, {1: handle, 2: stagingPath})
}

export async function nodePublish(socket: string, request: PublishRequest): Promise<void> {
  const {handle, stagingPath, targetPath, block, context} = request
  await callUnary(socket, `${node}NodePublishVolume`, {1: handle, 3: stagingPath, 4: targetPath, 5: capability(block), 8: context})
}

export async function nodeUnpublish(socket: string, handle: string, targetPath: string): Promise<void> {
  await callUnary(socket, `${node}NodeUnpublishVolume`, {1: handle, 2: targetPath})
}

/** Returns the bytes in use, or of a raw block volume its size. */
export async function nodeGetVolumeStats(socket: string, handle: string, volumePath: string): Promise<number> {
  const reply = await callUnary(socket, `${node}NodeGetVolumeStats`, {1: handle, 2: volumePath})
  const usage = messages(reply, 1)[0]
  return Number(usage?.get(3)?.[0] ?? usage?.get(2)?.[0] ?? 0)
}

/** hostpath makes no file of no size. */
const sizeBytes = 1024 * 1024

/** Returns the volume's handle, which csi-bind makes the same as the name. */
export async function createVolume(socket: string, name: string, block: boolean): Promise<string> {
  const reply = await callUnary(socket, '/csi.v1.Controller/CreateVolume', {1: name, 2: {1: sizeBytes}, 3: [capability(block)]})
  return messages(reply, 1).map((volume) => textOf(volume, 2))[0] ?? ''
}

export async function deleteVolume(socket: string, handle: string): Promise<void> {
  await callUnary(socket, '/csi.v1.Controller/DeleteVolume', {1: handle})
}

export async function getPluginInfo(registrationSocket: string): Promise<PluginInfo> {
  const reply = await callUnary(registrationSocket, `${registration}GetInfo`, {})
  return {type: textOf(reply, 1), name: textOf(reply, 2), endpoint: textOf(reply, 3)}
}

export async function notifyRegistered(registrationSocket: string): Promise<void> {
  await callUnary(registrationSocket, `${registration}NotifyRegistrationStatus`, {1: true})
}

function messages(reply: Reply, field: number): Reply[] {
  return (reply.get(field) ?? []).flatMap((each) => (typeof each === 'number' ? [] : [decode(each)]))
}
