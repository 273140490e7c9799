// Which sockets are asked whether they are a CSI driver's: a plugin of another kind is left alone.
import {type FoundSocket, lookAtSocket, type NotThere, type PlaceOf} from './look-at-socket.ts'
import type {Registration} from './sockets.ts'

interface DriverTarget {
  readonly socket: string
  readonly found: FoundSocket | NotThere
  /** A registration names it, or it has the name that drivers give theirs: it is listed whatever it answers. */
  readonly sure: boolean
}

/**
 * Every endpoint that a registration names, as it spells it; then what was found on disk and has not been named.
 * @param onDisk paths, absolute, on the host.
 */
export async function driverTargets(
  registrations: readonly Registration[],
  onDisk: readonly string[],
  placeOf: PlaceOf,
): Promise<readonly DriverTarget[]> {
  const look = (paths: readonly string[]) =>
    Promise.all([...new Set(paths)].map(async (socket) => ({socket, found: await lookAtSocket(socket, placeOf)})))
  const isCsi = ({type}: Registration) => type === 'CSIPlugin'
  const endpointsOf = (some: readonly Registration[]) => some.flatMap(({endpoint}) => endpoint ?? [])
  const [named, others, candidates] = await Promise.all([
    look(endpointsOf(registrations.filter(isCsi))),
    look([...registrations.map(({socket}) => socket), ...endpointsOf(registrations.filter((each) => !isCsi(each)))]),
    look(onDisk),
  ])
  const seen = new Set([...named, ...others].flatMap(({socket, found}) => ('id' in found ? [socket, found.id] : [socket])))
  const unnamed = candidates.filter(({socket, found}) => {
    const id = 'id' in found ? found.id : socket
    if (seen.has(socket) || seen.has(id)) return false
    seen.add(id)
    return true
  })
  return [...named.map((each) => ({...each, sure: true})), ...unnamed.map((each) => ({...each, sure: each.socket.endsWith('/csi.sock')}))]
}
