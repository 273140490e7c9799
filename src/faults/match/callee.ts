// Who a gRPC service belongs to.
import type {Callee} from '../rule.ts'

/** By its full name: 'csi.v1.Node', 'runtime.v1alpha2.ImageService', 'pluginregistration.Registration'. */
export function calleeOf(service: string): Exclude<Callee, 'api'> {
  if (/^runtime\.v1(alpha2)?\.(Runtime|Image)Service$/.test(service)) return 'cri'
  if (/^csi\.v\d+\.(Identity|Node|Controller|GroupController)$/.test(service)) return 'csi'
  return service === 'pluginregistration.Registration' ? 'registration' : 'other'
}
