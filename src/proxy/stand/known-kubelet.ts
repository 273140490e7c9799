// Which client is the kubelet. Node has no peer credentials of a unix socket, so it is known by its habits: it asks the runtime for its Status every 5 s (kubelet.go, updateRuntimeUp)
// and lists its sandboxes each second (pleg/generic.go), by one connection. crictl and others ask once and go.
import type {TracedCall} from '../call/traced-call.ts'

const habits: ReadonlySet<string> = new Set(['Status', 'ListPodSandbox'])

/** @param onKubelet once, when one is seen first @returns hears of each call */
export function knownKubelet(onKubelet: () => void): (call: TracedCall) => void {
  const asked = new Map<number, Set<string>>()
  let seen = false
  return ({connection, service, method, update}) => {
    if (seen || update || !habits.has(method) || !service.endsWith('.RuntimeService')) return
    const methods = asked.get(connection) ?? new Set()
    asked.set(connection, methods)
    if (methods.has(method)) {
      seen = true
      asked.clear()
      onKubelet()
    }
    methods.add(method)
  }
}
