// The CSI drivers of a node: what their registrations say, and what they say themselves. All sockets are asked side by side; one that hangs
// costs its own deadline.
import type {Clock} from '../../base/clock.ts'
import {withDeadline} from '../../wire/deadline.ts'
import {absent, failed, type Reading, read} from '../reading.ts'
import type {Readings} from '../snapshot.ts'
import {type AskOptions, askDriver, askRegistration} from './ask.ts'
import {driverTargets} from './driver-targets.ts'
import {isNamedSocket, type Listing, listPluginSockets, listRegistrySockets} from './list-sockets.ts'
import {type FoundSocket, lookAtSocket, type PlaceOf} from './look-at-socket.ts'
import type {DriverSocket, Registration} from './sockets.ts'

export interface ReadCsiOptions {
  /** The kubelet's, absolute, on the host. */
  readonly root: string
  readonly placeOf: PlaceOf
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** Of the whole reading. */
  readonly deadlineMs: number
}

type CsiReadings = Pick<Readings, 'csi.registrations' | 'csi.drivers'>

/** At most, for connecting to a socket and for each call. */
const timeoutMs = 2000
/** A registration is dialled and asked; then a driver is dialled, asked its name, and asked the rest. */
const waits = 5

/** A broken driver is a value here; only the one who asked can end the asking. */
export async function readCsi({root, placeOf, clock, signal, deadlineMs}: ReadCsiOptions): Promise<CsiReadings> {
  const top = root.replace(/\/+$/, '')
  const started = clock.now()
  const expired = new Error(`the file system has not answered for ${deadlineMs} ms`)
  try {
    return await withDeadline({clock, ms: deadlineMs, expired: () => expired, ...(signal && {signal})}, async (within) => {
      const options = {clock, signal: within, timeoutMs: Math.min(timeoutMs, deadlineMs / waits)}
      const registrations = await readRegistrations(`${top}/plugins_registry`, placeOf, options)
      return {'csi.registrations': registrations, 'csi.drivers': await readDrivers(`${top}/plugins`, registrations, placeOf, options)}
    })
  } catch (error) {
    if (error !== expired) throw error
    const late = failed(expired.message, clock.now() - started)
    return {'csi.registrations': late, 'csi.drivers': late}
  }
}

async function readRegistrations(directory: string, placeOf: PlaceOf, options: AskOptions): Promise<Reading<readonly Registration[]>> {
  const listing = await listed(directory, () => listRegistrySockets(directory, placeOf))
  if (listing.state !== 'read') return listing
  const ask = once(askRegistration, options)
  const registrations = await Promise.all(
    listing.value.map(async (socket): Promise<Registration[]> => {
      const found = await lookAtSocket(socket, placeOf)
      if ('id' in found) return [{socket, ...(await ask(found))}]
      // A link to something that is no socket is of interest only when it is named like one.
      return isNamedSocket(socket) ? [{socket, answer: found}] : []
    }),
  )
  return read(registrations.flat(), listing.incomplete)
}

async function readDrivers(
  directory: string,
  registrations: Reading<readonly Registration[]>,
  placeOf: PlaceOf,
  options: AskOptions,
): Promise<Reading<readonly DriverSocket[]>> {
  const listing = await listed(directory, () => listPluginSockets(directory, placeOf))
  const targets = await driverTargets(
    registrations.state === 'read' ? registrations.value : [],
    listing.state === 'read' ? listing.value : [],
    placeOf,
  )
  if (listing.state !== 'read' && targets.length === 0) return listing
  const ask = once(askDriver, options)
  const drivers = await Promise.all(
    targets.map(async ({socket, found, sure}): Promise<DriverSocket[]> => {
      const said = 'id' in found ? await ask(found) : {answer: found}
      const {state} = said.answer
      return sure || (state !== 'other-service' && state !== 'not-grpc') ? [{socket, ...said}] : []
    }),
  )
  return read(drivers.flat(), incompleteness(registrations, listing))
}

function incompleteness(registrations: Reading<unknown>, listing: Reading<unknown>): string | undefined {
  const reasons = [
    registrations.state === 'read' ? registrations.incomplete : registrations.state === 'failed' ? registrations.why : undefined,
    listing.state === 'read' ? listing.incomplete : listing.state === 'failed' ? listing.why : undefined,
  ].filter((reason) => reason !== undefined)
  return reasons.length === 0 ? undefined : reasons.join('; ')
}

async function listed(directory: string, list: () => Promise<Listing>): Promise<Reading<readonly string[]>> {
  try {
    const {paths, incomplete} = await list()
    return read(paths, incomplete)
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return absent(`there is no ${directory}`)
    if (code === undefined) throw error
    return failed(code === 'EACCES' || code === 'EPERM' ? `this user may not read ${directory}` : `${directory} cannot be read (${code})`)
  }
}

/** A socket with two names is asked once. */
function once<T>(ask: (found: FoundSocket, options: AskOptions) => Promise<T>, options: AskOptions): (found: FoundSocket) => Promise<T> {
  const asked = new Map<string, Promise<T>>()
  return (found) => {
    const answer = asked.get(found.id) ?? ask(found, options)
    asked.set(found.id, answer)
    return answer
  }
}
