// Drivers whose sockets are dead or hang. One trouble a driver: that of its own socket, where there is one, else that of its registration.
import {oncePer} from '../../base/once-per.ts'
import type {DriverSocket, Registration, SocketAnswer} from '../../node/csi/sockets.ts'
import type {DetectContext, Unseen} from '../detector.ts'
import type {Evidence, Severity, Subject} from '../finding.ts'
import type {Proof} from '../since.ts'
import {type DriverSockets, driverSockets} from './driver-sockets.ts'
import {type DriverUser, driverUsers} from './driver-users.ts'
import {isHung, isUnproven, whyUnproven} from './socket-silence.ts'
import {youthOf} from './socket-youth.ts'

export interface DriverTrouble {
  readonly code: 'C02' | 'C03'
  /** Undefined when nothing tells whose socket it is. */
  readonly driver: string | undefined
  /** Own sockets that are dead or hang. */
  readonly own: readonly DriverSocket[]
  /** Registration sockets that are dead or hang. */
  readonly registrations: readonly Registration[]
  /** Another registration socket answers for it. */
  readonly registered: boolean
  /** One of its own sockets answers. */
  readonly answers: boolean
  readonly users: readonly DriverUser[]
  /** What makes it young; undefined when it is old, or nothing tells. */
  readonly young: Proof | undefined
  readonly severity: Severity
  readonly subject: Subject
}

interface Parts {
  readonly driver: string | undefined
  readonly own: DriverSocket[]
  readonly registrations: Registration[]
}

export const driverTroubles = oncePer((context: DetectContext): readonly DriverTrouble[] => {
  const {snapshot, belief} = context
  const view = driverSockets(snapshot)
  const users = belief === undefined ? undefined : driverUsers(belief)
  const youth = youthOf(context)
  return [...troubledParts(view).values()].map((parts): DriverTrouble => {
    const {driver, own, registrations} = parts
    const [first] = [...own, ...registrations]
    const path = first?.socket ?? '/'
    const registered = driver !== undefined && view.registered.has(driver)
    const young = youth([...own, ...registrations])
    const needed = (driver === undefined ? undefined : users?.get(driver)) ?? []
    return {
      code: first?.answer.state === 'silent' ? 'C03' : 'C02',
      ...parts,
      registered,
      answers: driver !== undefined && view.sockets.some(({name, answer}) => name === driver && !isDown(answer)),
      users: needed,
      young,
      severity: young !== undefined ? 'info' : severityOf(parts, registered, needed.length > 0),
      subject: driver === undefined ? {kind: 'Path', path} : {kind: 'Driver', driver, path},
    }
  })
})

function troubledParts(view: DriverSockets): ReadonlyMap<string, Parts> {
  const parts = new Map<string, Parts>()
  const partsOf = (driver: string | undefined, socket: string): Parts => {
    const key = driver ?? socket
    const there = parts.get(key) ?? {driver, own: [], registrations: []}
    parts.set(key, there)
    return there
  }
  // A socket that is not there is missed only where somebody says that it should be.
  const named = new Set(view.registrations.map((registration) => view.endpointOf(registration)))
  for (const socket of view.sockets) {
    if (isDown(socket.answer) || (socket.answer.state === 'missing' && named.has(socket))) {
      partsOf(view.ofSocket(socket), socket.socket).own.push(socket)
    }
  }
  for (const registration of view.registrations) {
    if (isDown(registration.answer)) partsOf(view.ofRegistration(registration), registration.socket).registrations.push(registration)
  }
  return paired(parts, view)
}

/**
 * A dead driver's registration no longer says which socket is its own. Where one of each is left and nothing but a directory's name speaks for
 * another driver, they are of one.
 */
function paired(parts: ReadonlyMap<string, Parts>, view: DriverSockets): ReadonlyMap<string, Parts> {
  const hasOwn = new Set(view.sockets.flatMap((socket) => (view.isGuess(socket) ? [] : [view.ofSocket(socket)])))
  const sockets = [...parts].filter(([, {own, registrations}]) => registrations.length === 0 && own.every((each) => view.isGuess(each)))
  const registrations = [...parts].filter(([, {own, driver}]) => own.length === 0 && !hasOwn.has(driver))
  const [socket, registration] = [sockets[0], registrations[0]]
  if (sockets.length !== 1 || registrations.length !== 1 || socket === undefined || registration === undefined) return parts
  const merged = new Map(parts)
  merged.delete(socket[0])
  merged.set(registration[0], {...registration[1], own: socket[1].own})
  return merged
}

/** 'denied' and all that we could not make out is not among them. */
function isDown(answer: SocketAnswer): boolean {
  return answer.state === 'refused' || isHung(answer)
}

/** The sockets that may hang: we did not wait for them long enough to say. */
export function unprovenSilence({snapshot}: DetectContext): Unseen | undefined {
  const {sockets, registrations} = driverSockets(snapshot)
  const own = sockets.filter(({answer}) => isUnproven(answer))
  const found = [...own, ...registrations.filter(({answer}) => isUnproven(answer))].map(({socket}) => socket)
  return found.length === 0 ? undefined : {source: own.length > 0 ? 'csi.drivers' : 'csi.registrations', why: whyUnproven(found)}
}

function severityOf({driver, own, registrations}: Parts, registered: boolean, used: boolean): Severity {
  if (own.length > 0) {
    if (used) return 'error'
    return registered || registrations.length > 0 ? 'warning' : 'info'
  }
  // The kubelet keeps a driver that it has registered until the socket's file goes or it starts anew.
  if (registered) return 'info'
  return used && driver !== undefined && registrations.some(({answer}) => answer.state === 'refused') ? 'error' : 'warning'
}

/** What each socket said. */
export function troubleEvidence({snapshot}: DetectContext, {own, registrations}: DriverTrouble): Evidence[] {
  const {loggedAs} = driverSockets(snapshot)
  const said =
    (source: string) =>
    (each: DriverSocket | Registration): Evidence => ({
      source,
      fact: `${each.socket}: ${each.answer.state === 'answers' ? 'answers' : each.answer.why}`,
    })
  const logged = own.flatMap((socket) => {
    const driver = loggedAs(socket)
    return driver === undefined ? [] : [{source: 'kubelet.log', fact: `${driver} registered with ${socket.socket}`}]
  })
  return [...own.map(said('csi.drivers')), ...registrations.map(said('csi.registrations')), ...logged]
}
