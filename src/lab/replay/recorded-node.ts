// The sockets of a recording or a bundle, and how each is to be there.
import {posix} from 'node:path'
import {known} from '../../node/reading.ts'
import type {RecordedCall} from '../../node/recorded/recorded-call.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {parseSocketAddress} from '../../wire/socket-address.ts'
import {bundleCalls} from './bundle-calls.ts'

export interface RecordedSocket {
  /** Absolute, on the node. */
  readonly path: string
  readonly kind: 'runtime' | 'driver' | 'registration'
  /** `mute`: it takes connections and says nothing. `dead`: the file is there, and nobody listens. */
  readonly state: 'served' | 'mute' | 'dead'
  readonly calls: readonly RecordedCall[]
}

const usualRuntime = '/run/containerd/containerd.sock'

export function socketsOfRecording(calls: readonly RecordedCall[]): readonly RecordedSocket[] {
  return [...Map.groupBy(calls, ({socket}) => placeOf(socket))].map(([path, its]) => ({
    path,
    kind: kindOf(its),
    state: 'served',
    calls: its,
  }))
}

/** Runtimes first, registrations last. */
export function socketsOfBundle(bundle: Snapshot): readonly RecordedSocket[] {
  const {readings} = bundle
  const answers = known(readings['runtime.answers'])
  const runtime = runtimePath(bundle)
  const bySocket = Map.groupBy(bundleCalls(bundle, runtime), ({socket}) => placeOf(socket))
  const connected = answers?.calls.find(({method}) => method === 'connect')?.outcome
  const state = connected === undefined || connected.state === 'answered' ? 'served' : connected.state === 'silent' ? 'mute' : 'dead'
  const lists = [readings['runtime.sandboxes'], readings['runtime.containers'], readings['runtime.container-status']]
  const unseen = answers === undefined && lists.every((each) => each.state !== 'read')
  const missing = unseen || (connected?.state === 'failed' && connected.kind === 'missing')
  const of = (
    kind: RecordedSocket['kind'],
    all: readonly {readonly socket: string; readonly answer: {readonly state: string}}[] | undefined,
  ) =>
    (all ?? []).flatMap(({socket, answer}): RecordedSocket[] =>
      answer.state === 'missing'
        ? []
        : [{path: placeOf(socket), kind, state: stateOf(answer.state), calls: bySocket.get(placeOf(socket)) ?? []}],
    )
  const sockets = [
    ...(missing ? [] : [{path: runtime, kind: 'runtime', state, calls: bySocket.get(runtime) ?? []} as const]),
    ...of('driver', known(readings['csi.drivers'])),
    ...of('registration', known(readings['csi.registrations'])),
  ]
  return [...new Map(sockets.map((each) => [each.path, each])).values()]
}

/** What a driver did not answer, or not as one, its entry in the bundle tells. */
function stateOf(answer: string): RecordedSocket['state'] {
  return answer === 'answers' || answer === 'failed' ? 'served' : answer === 'silent' ? 'mute' : 'dead'
}

export function runtimePath({readings}: Snapshot): string {
  const endpoint = known(readings['runtime.answers'])?.endpoint
  if (endpoint === undefined) return usualRuntime
  try {
    return placeOf(parseSocketAddress(endpoint, 'the endpoint').path)
  } catch {
    return usualRuntime
  }
}

/** A kubelet in a root of its own has its sockets there; an abstract socket has no place. */
function placeOf(path: string): string {
  const place = path.replace(/^\/proc\/\d+\/root(?=\/)/, '')
  // Whoever wrote it: what is shown of it must not lead out of the replay's folder.
  return place.startsWith('/') ? posix.resolve(place) : `/run/abstract/${place.replace(/[^\w.-]/g, '_')}.sock`
}

function kindOf(calls: readonly RecordedCall[]): RecordedSocket['kind'] {
  const services = calls.map(({service}) => service)
  if (services.some((service) => service.startsWith('runtime.'))) return 'runtime'
  return services.some((service) => service.startsWith('csi.')) ? 'driver' : 'registration'
}
