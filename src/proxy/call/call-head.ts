// A call by its path alone: which service and method it is for, and whose side of the node that is.
import type {Callee} from '../../faults/rule.ts'

export interface CalledMethod {
  readonly to: Callee
  /** 'csi.v1.Node' */
  readonly service: string
  readonly method: string
}

/** @param path '/csi.v1.Node/NodeStageVolume' */
export function calledMethod(path: string): CalledMethod {
  const slash = path.lastIndexOf('/')
  const service = slash <= 0 ? '' : path.slice(1, slash)
  return {to: calleeOf(service), service, method: path.slice(slash + 1)}
}

function calleeOf(service: string): Callee {
  if (/^runtime\.v\w+\.(?:Runtime|Image)Service$/.test(service)) return 'cri'
  if (/^csi\.v\w+\.(?:Identity|Node|Controller|GroupController)$/.test(service)) return 'csi'
  return service === 'pluginregistration.Registration' ? 'registration' : 'other'
}
