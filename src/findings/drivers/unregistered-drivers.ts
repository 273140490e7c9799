// Drivers that volumes on this node need and that no socket answers for.
import {oncePer} from '../../base/once-per.ts'
import {belowRoot} from '../../node/below-root.ts'
import type {DriverSocket, SocketAnswer} from '../../node/csi/sockets.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot, SourceName} from '../../node/snapshot.ts'
import type {DetectContext, Unseen} from '../detector.ts'
import type {Subject} from '../finding.ts'
import {type DriverSockets, driverSockets} from './driver-sockets.ts'
import {type DriverUser, driverUsers} from './driver-users.ts'
import {isUnproven, whyUnproven} from './socket-silence.ts'

export interface UnregisteredDriver {
  readonly driver: string
  readonly users: readonly DriverUser[]
  /** Its own socket answers: only the registration is missing. */
  readonly running: DriverSocket | undefined
  /** Where its socket was, a driver with another name answers. */
  readonly renamed: DriverSocket | undefined
  /** Registration sockets that did not answer and that could be its. */
  readonly doubtful: readonly string[]
  readonly subject: Subject
}

export interface RegistrationCheck {
  readonly unregistered: readonly UnregisteredDriver[]
  /** Why a driver that no socket answers for may be registered all the same. */
  readonly doubt: Unseen | undefined
}

export const checkRegistrations: (context: DetectContext) => RegistrationCheck = oncePer(({snapshot, belief}) => {
  const nothing = {unregistered: [], doubt: undefined}
  if (belief === undefined || !isWhole(snapshot, ['csi.registrations', 'disk.entries', 'disk.vol-data'])) return nothing
  const view = driverSockets(snapshot)
  const unasked = unaskedSocket(snapshot, view)
  if (unasked !== undefined) return {...nothing, doubt: doubtOf(`nobody asked ${unasked}, which is there: it may be any driver's`)}
  // Whose it is nobody knows for sure before it has answered.
  const early = [...view.registrations, ...view.sockets.filter(({name}) => name === undefined)].find(({answer}) => isUnproven(answer))
  if (early !== undefined) return {...nothing, doubt: doubtOf(whyUnproven([early.socket]))}
  const anonymous = view.registrations.filter((each) => each.answer.state !== 'answers' && view.ofRegistration(each) === undefined)
  const closed = anonymous.find(({answer}) => isClosed(answer))
  if (closed !== undefined) return {...nothing, doubt: doubtOf(`${closed.socket} would not tell us whose it is`)}
  // Its own socket or its registration is there and does not answer: dead or hung, which is said of the socket, or not for us to ask.
  const unanswered = [
    ...view.registrations.filter(({answer}) => answer.state !== 'answers').map((each) => ({driver: view.ofRegistration(each), ...each})),
    ...view.sockets
      .filter(({answer, name}) => name === undefined && answer.state !== 'missing')
      .map((each) => ({...each, driver: view.ofSocket(each)})),
  ]
  const silent = new Set(unanswered.map(({driver}) => driver))
  const missing = [...driverUsers(belief)].filter(([driver]) => !view.registered.has(driver))
  const unregistered = missing.filter(([driver]) => !silent.has(driver)).map(([driver, users]) => describe(driver, users, view, anonymous))
  const undecided = unanswered.find(({driver, answer}) => isClosed(answer) && missing.some(([each]) => each === driver))
  const doubt = undecided === undefined || unregistered.length > 0 ? undefined : doubtOf(`${undecided.socket} would not answer us`)
  return {unregistered, doubt}
})

function describe(
  driver: string,
  users: readonly DriverUser[],
  view: DriverSockets,
  anonymous: DriverSockets['registrations'],
): UnregisteredDriver {
  return {
    driver,
    users,
    running: view.sockets.find(({name}) => name === driver),
    renamed: view.inDirectoryOf(driver).find(({name}) => name !== undefined && name !== driver),
    doubtful: anonymous.map(({socket}) => socket),
    subject: {kind: 'Driver', driver},
  }
}

/** We were not let in: what we did not hear is no news. */
function isClosed(answer: SocketAnswer): boolean {
  return answer.state === 'denied' || answer.state === 'failed'
}

function doubtOf(why: string): Unseen {
  return {source: 'csi.registrations', why}
}

function isWhole({readings}: Snapshot, names: readonly SourceName[]): boolean {
  return names.every((name) => whole<unknown>(readings[name]) !== undefined)
}

/** A registration socket on the disk that is not among those that were asked: the list is of another moment, or of another root. */
function unaskedSocket(snapshot: Snapshot, {registrations}: DriverSockets): string | undefined {
  const below = belowRoot(snapshot)
  const all = known(snapshot.readings['csi.registrations']) ?? registrations
  const asked = new Set(all.map(({socket}) => below(socket)))
  const entries = known(snapshot.readings['disk.entries']) ?? []
  // The kubelet ignores names that start with a dot.
  return entries.find(({path, type}) => type === 'socket' && /^plugins_registry\/(?:.*\/)?[^./][^/]*$/.test(path) && !asked.has(path))?.path
}
