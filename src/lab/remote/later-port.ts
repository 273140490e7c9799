// A port that somebody has while it is still being opened.
import type {Methods, Port} from '../../kubelet/port.ts'
import type {ApiPort} from '../../kubelet/ports.ts'

export function laterPort<M extends Methods>(opened: Promise<Port<M>>): Port<M> {
  return {call: async (method, request, options) => (await opened).call(method, request, options)}
}

export function laterApi(opened: Promise<ApiPort>): ApiPort {
  return {
    ...laterPort(opened),
    watchPods: (onEvent, signal) => void opened.then((port) => port.watchPods(onEvent, signal)),
  }
}
