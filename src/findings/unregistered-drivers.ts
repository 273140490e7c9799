// Drivers that volumes on this node need and that no socket answers for.
import {belowRoot} from '../node/below-root.ts'
import type {DriverSocket} from '../node/csi/sockets.ts'
import {known, whole} from '../node/reading.ts'
import type {Snapshot, SourceName} from '../node/snapshot.ts'
import type {DetectContext} from './detector.ts'
import {type DriverSockets, driverSockets} from './driver-sockets.ts'
import {type DriverUser, driverUsers} from './driver-users.ts'
import type {Subject} from './finding.ts'

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

export function unregisteredDrivers({snapshot, belief}: DetectContext): UnregisteredDriver[] {
  if (belief === undefined || !isWhole(snapshot, ['csi.registrations', 'disk.entries', 'disk.vol-data'])) return []
  const view = driverSockets(snapshot)
  if (!agreesWithDisk(snapshot, view)) return []
  // Its own socket or its registration is there and does not answer: dead, hung, or not for us to ask. That is said of the socket.
  const unanswered = new Set([
    ...view.registrations.filter(({answer}) => answer.state !== 'answers').map(view.ofRegistration),
    ...view.sockets.filter(({answer, name}) => name === undefined && answer.state !== 'missing').map(view.ofSocket),
  ])
  const anonymous = view.registrations.filter((each) => each.answer.state !== 'answers' && view.ofRegistration(each) === undefined)
  // We were not let in: what we did not hear is no news.
  if (anonymous.some(({answer}) => answer.state === 'denied' || answer.state === 'failed')) return []
  return [...driverUsers(belief)].flatMap(([driver, users]): UnregisteredDriver[] => {
    if (view.registered.has(driver) || unanswered.has(driver)) return []
    const others = view.inDirectoryOf(driver).filter(({name}) => name !== undefined && name !== driver)
    return [
      {
        driver,
        users,
        running: view.sockets.find(({name}) => name === driver),
        renamed: others[0],
        doubtful: anonymous.map(({socket}) => socket),
        subject: {kind: 'Driver', driver},
      },
    ]
  })
}

function isWhole({readings}: Snapshot, names: readonly SourceName[]): boolean {
  return names.every((name) => whole<unknown>(readings[name]) !== undefined)
}

/** A registration socket on the disk that nobody asked: the list is of another moment, or of another root. */
function agreesWithDisk(snapshot: Snapshot, {registrations}: DriverSockets): boolean {
  const below = belowRoot(snapshot)
  const all = known(snapshot.readings['csi.registrations']) ?? registrations
  const asked = new Set(all.map(({socket}) => below(socket)))
  const entries = known(snapshot.readings['disk.entries']) ?? []
  return entries.every(({path, type}) => type !== 'socket' || !/^plugins_registry\/(?:.*\/)?[^./][^/]*$/.test(path) || asked.has(path))
}
