// A driver of the lab as its socket serves it.
import type {ConnectRouter} from '@connectrpc/connect'
import type {CsiMethods} from '../../kubelet/csi.ts'
import {Controller, Identity, Node, PluginCapability_Service_Type as Service} from '../../wire/gen/csi_pb.ts'
import type {LabDriver} from '../drivers/fake-driver.ts'
import {type SocketTarget, withStatus} from '../port/socket-call.ts'
import {controllerService} from './controller-service.ts'
import {nodeService} from './node-service.ts'
import {type Provisioned, provisioned} from './provisioned.ts'

export interface CsiRoutesOptions extends SocketTarget<CsiMethods> {
  readonly driver: LabDriver
  readonly nodeId: string
  /** A path of a request as the driver's disk has it; absent: as it is. */
  readonly toModel?: (path: string) => string
  /** For who serves the driver anew and keeps its volumes. */
  readonly volumes?: Provisioned
}

export function csiRoutes(options: CsiRoutesOptions): (router: ConnectRouter) => void {
  const {driver, port, clock, nodeId, toModel = (path) => path, volumes = provisioned(driver)} = options
  const status = {interceptors: [withStatus]}
  return (router) => {
    router.service(
      Identity,
      {
        getPluginInfo: () => driver.identity.pluginInfo(),
        getPluginCapabilities: () => ({capabilities: [{type: {case: 'service', value: {type: Service.CONTROLLER_SERVICE}}}]}),
        probe: () => driver.identity.probe(),
      },
      status,
    )
    router.service(Controller, controllerService(volumes, nodeId), status)
    router.service(Node, nodeService({port, clock, volumes, nodeId, toModel}), status)
  }
}
