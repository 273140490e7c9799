// All calls of a CSI driver, by its socket, as a kubelet and a provisioner make them.
import {create} from '@bufbuild/protobuf'
import {type Client, createClient} from '@connectrpc/connect'
import {systemClock} from '../../src/base/clock.ts'
import {openChannel} from '../../src/wire/channel.ts'
import {Controller, Identity, Node, VolumeCapability_AccessMode_Mode, VolumeCapabilitySchema} from '../../src/wire/gen/csi_pb.ts'
import {toRpcFailure} from '../../src/wire/status.ts'

export interface CsiCaller extends Disposable {
  readonly identity: Client<typeof Identity>
  readonly controller: Client<typeof Controller>
  readonly node: Client<typeof Node>
}

export async function csiCaller(path: string): Promise<CsiCaller> {
  const channel = await openChannel({path, clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000}, 2 ** 22)
  const {transport} = channel
  return {
    identity: createClient(Identity, transport),
    controller: createClient(Controller, transport),
    node: createClient(Node, transport),
    [Symbol.dispose]: () => channel[Symbol.dispose](),
  }
}

/** The code that a call ended with. */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error) => toRpcFailure(error, 'it').code,
  )

/** What a file system or a raw block volume is asked for with. */
export const capabilityOf = (access: 'mount' | 'block') =>
  create(VolumeCapabilitySchema, {
    accessType: {case: access, value: {}},
    accessMode: {mode: VolumeCapability_AccessMode_Mode.SINGLE_NODE_WRITER},
  })

/** As the proxy writes it. */
export const addressOf = (path: string): string => `unix://${path}`
