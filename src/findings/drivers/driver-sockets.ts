// Which driver a socket belongs to. One that answers says so itself; of the others only names and the kubelet's log tell.
import {oncePer} from '../../base/once-per.ts'
import {belowRoot} from '../../node/below-root.ts'
import type {DriverSocket, Registration} from '../../node/csi/sockets.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'

export interface DriverSockets {
  readonly registrations: readonly Registration[]
  readonly sockets: readonly DriverSocket[]
  /** Names that a registration answers with. */
  readonly registered: ReadonlySet<string>
  /** The driver that a registration socket is of. */
  ofRegistration(registration: Registration): string | undefined
  /** The driver that an own socket is of. */
  ofSocket(socket: DriverSocket): string | undefined
  /** What the kubelet's log says of whose an own socket is; undefined when something better tells, or nothing. */
  loggedAs(socket: DriverSocket): string | undefined
  /** Only the name of its directory tells whose an own socket is. */
  isGuess(socket: DriverSocket): boolean
  /** Own sockets in the directory that is this driver's, by its name or by the kubelet's log. */
  inDirectoryOf(driver: string): readonly DriverSocket[]
  /** The own socket that a registration names. */
  endpointOf(registration: Registration): DriverSocket | undefined
}

export const driverSockets = oncePer((snapshot: Snapshot): DriverSockets => {
  const below = belowRoot(snapshot)
  const place = (socket: string) => below(socket) ?? socket
  const all = known(snapshot.readings['csi.registrations']) ?? []
  // Device plugins and DRA drivers register in the same directory.
  const registrations = all.filter(({type}) => type === undefined || type === 'CSIPlugin')
  const sockets = known(snapshot.readings['csi.drivers']) ?? []
  const bySocket = new Map(sockets.map((socket) => [place(socket.socket), socket]))
  const logged = loggedEndpoints(snapshot)
  const byEndpoint = new Map(registrations.flatMap(({name, endpoint}) => (name && endpoint ? [[place(endpoint), name]] : [])))
  const byLog = new Map([...logged].map(([driver, endpoint]) => [place(endpoint), driver]))
  const byFolder = new Map<string, DriverSocket[]>()
  for (const socket of sockets) {
    const folder = folderOf(place(socket.socket))
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), socket])
  }
  // One that told its name is there, whatever came of the other questions.
  const answering = new Set(sockets.flatMap(({name}) => name ?? []))
  return {
    registrations,
    sockets,
    registered: new Set(registrations.flatMap(({answer, name}) => (answer.state === 'answers' && name ? [name] : []))),
    // node-driver-registrar names its socket so.
    ofRegistration: ({name, socket}) => name ?? /([^/]+)-reg\.sock$/.exec(socket)?.[1],
    ofSocket: (socket) => {
      if (socket.name) return socket.name
      const path = place(socket.socket)
      const registeredAs = byEndpoint.get(path)
      if (registeredAs !== undefined) return registeredAs
      const folder = folderOf(path)
      // In a directory that several drivers share its name says nothing of one.
      const alone = (byFolder.get(folder) ?? []).every((other) => other === socket || other.name === undefined)
      const likely = byLog.get(path) ?? (alone ? /^plugins\/([^/]+)$/.exec(folder)?.[1] : undefined)
      // A driver that answers elsewhere has moved.
      return likely === undefined || answering.has(likely) ? undefined : likely
    },
    loggedAs: (socket) => (socket.name || byEndpoint.has(place(socket.socket)) ? undefined : byLog.get(place(socket.socket))),
    isGuess: (socket) => !socket.name && !byEndpoint.has(place(socket.socket)) && !byLog.has(place(socket.socket)),
    inDirectoryOf: (driver) => {
      const endpoint = logged.get(driver)
      return byFolder.get(endpoint === undefined ? `plugins/${driver}` : folderOf(place(endpoint))) ?? []
    },
    endpointOf: ({endpoint}) => (endpoint === undefined ? undefined : bySocket.get(place(endpoint))),
  }
})

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Driver to the socket that it last registered with (csi_plugin.go). */
function loggedEndpoints(snapshot: Snapshot): ReadonlyMap<string, string> {
  const lines = known(snapshot.readings['kubelet.log']) ?? []
  return new Map(
    lines.flatMap(({message}) => {
      if (!message.includes('Register new plugin')) return []
      const [, driver, endpoint] = /Register new plugin with name: (\S+) at endpoint: (\S+)/.exec(message) ?? []
      return driver === undefined || endpoint === undefined ? [] : [[driver, endpoint.replace(/^unix:\/\//, '')]]
    }),
  )
}
