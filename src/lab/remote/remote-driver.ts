// A real CSI driver as the lab deals with one. What it has of volumes is its own business: they are made before, and nobody asks.
import type {CsiMethods} from '../../kubelet/csi.ts'
import type {CsiPort} from '../../kubelet/ports.ts'
import type {LabDriver} from '../drivers/fake-driver.ts'
import type {Caller, Server} from '../port/server.ts'

export interface RemoteDriverOptions {
  readonly name: string
  readonly vendorVersion: string
  readonly port: CsiPort
  /** Ends its process and starts it again; it may be down for as long as it likes. */
  readonly restart?: () => void
}

export function remoteDriver({name, vendorVersion, port, restart}: RemoteDriverOptions): LabDriver {
  const forward =
    <Method extends keyof CsiMethods & string>(method: Method) =>
    (request: CsiMethods[Method]['request'], {signal, timeoutMs}: Caller): Promise<CsiMethods[Method]['response']> =>
      port.call(method, request, {timeoutMs, signal})
  const node: Server<CsiMethods> = {
    NodeGetCapabilities: forward('NodeGetCapabilities'),
    NodeStageVolume: forward('NodeStageVolume'),
    NodeUnstageVolume: forward('NodeUnstageVolume'),
    NodePublishVolume: forward('NodePublishVolume'),
    NodeUnpublishVolume: forward('NodeUnpublishVolume'),
  }
  return {
    identity: {pluginInfo: () => ({name, vendorVersion}), probe: () => ({ready: true})},
    controller: {createVolume: () => undefined, deleteVolume: () => undefined},
    node,
    volumes: () => [],
    volume: () => undefined,
    stop: () => restart?.(),
    start: () => undefined,
    watch: () => () => undefined,
  }
}
