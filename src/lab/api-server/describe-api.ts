// A call of the API server as rules and people see it.

import type {ApiMethods} from '../../kubelet/ports.ts'
import type {PortCall} from '../port/port-call.ts'

type AnyRequest = ApiMethods['GET pod']['request'] &
  Partial<ApiMethods['PATCH pod/status']['request'] & ApiMethods['DELETE pod']['request']>

export function describeApi(method: string, request: object): PortCall {
  const {namespace, name, uid, status, gracePeriodSeconds} = request as AnyRequest
  if (method === 'GET persistentvolumeclaim') return {to: 'api', method, request: {claim: `${namespace}/${name}`}}
  const pod = `${namespace}/${name}`
  if (status !== undefined) return {to: 'api', method, pod, request: {uid, phase: status.phase, status}}
  if (gracePeriodSeconds !== undefined) return {to: 'api', method, pod, request: {uid, gracePeriodSeconds}}
  return {to: 'api', method, pod, request: {}}
}
