// One row per driver: what its registration says, what its own socket says, and how many volumes have its name.
import type {Reading} from '../reading.ts'
import type {Readings} from '../snapshot.ts'
import type {VolDataFile} from '../vol-data.ts'
import {accepted, isDriver, nameOfRegistrar, otherwiseRegistered, type Registered} from './registered.ts'
import type {DriverSocket, Registration, SocketAnswer} from './sockets.ts'

export interface Driver {
  /** As the kubelet knows it, by the registration; else what the driver calls itself; else what vol_data.json files call it. */
  readonly name?: string
  /** What the driver calls itself, when that is another name. */
  readonly ownName?: string
  readonly version?: string
  /** The driver's own, absolute, on the host. */
  readonly socket?: string
  /** Of that socket; absent when nobody looked at it. */
  readonly answer?: SocketAnswer
  readonly ready?: boolean
  readonly registered: Registered
  /** The registration's socket, absolute, on the host. */
  readonly registration?: string
  readonly capabilities?: readonly string[]
  readonly nodeId?: string
  /** Volumes here whose vol_data.json names the driver; absent when nobody looked. */
  readonly volumes?: number
}

type DriverReadings = Pick<Readings, 'csi.registrations' | 'csi.drivers' | 'disk.vol-data'>

/** In the order of their names, those without one last. */
export function joinDrivers(readings: DriverReadings): readonly Driver[] {
  const {'csi.registrations': reading} = readings
  const registrations = listOf(reading)
  const sockets = listOf(readings['csi.drivers'])
  const volumes = readings['disk.vol-data'].state === 'read' ? volumesByDriver(readings['disk.vol-data'].value) : undefined
  const registered = registrations.filter(isDriver).filter(unlikeThoseBefore)
  const endpoints = new Set(registered.map(({endpoint}) => endpoint))
  const rows: Driver[] = [
    ...registered.map((each) => registeredRow(each, registrations, sockets)),
    ...sockets.filter(({socket}) => !endpoints.has(socket)).map((socket) => ({...socket, ...otherwiseRegistered(reading, socket.name)})),
  ]
  const named = (name: string) => rows.some((row) => row.name === name)
  for (const name of volumes?.keys() ?? []) if (!named(name)) rows.push({name, ...otherwiseRegistered(reading, name)})
  const shown = new Set(rows.map(({registration}) => registration))
  for (const {socket, answer} of registrations) {
    if (answer.state === 'answers' || shown.has(socket)) continue
    const name = nameOfRegistrar(socket)
    rows.push({...(name !== undefined && {name}), registered: {state: 'fails', why: answer.why}, registration: socket})
  }
  return rows.map((row) => ({...row, ...volumesOf(row, volumes)})).sort(byName)
}

/** A socket in plugins_registry and a link to it are one registration. */
function unlikeThoseBefore({name, endpoint}: Registration, index: number, all: readonly Registration[]): boolean {
  return all.findIndex((each) => each.name === name && each.endpoint === endpoint) === index
}

function registeredRow(registration: Registration, all: readonly Registration[], sockets: readonly DriverSocket[]): Driver {
  const {socket, name = '', endpoint = ''} = registration
  const driver = sockets.find((each) => each.socket === endpoint)
  return {
    socket: endpoint,
    ...driver,
    name,
    ...(driver?.name !== undefined && driver.name !== name && {ownName: driver.name}),
    registered: accepted(registration, all),
    registration: socket,
  }
}

/** A volume has a vol_data.json where it is staged and one in each pod that has it. */
function volumesByDriver(files: readonly VolDataFile[]): ReadonlyMap<string, number> {
  const handles = new Map<string, Set<string>>()
  for (const {path, data} of files) {
    if ('unreadable' in data || !data.driverName) continue
    const known = handles.get(data.driverName) ?? new Set()
    handles.set(data.driverName, known.add(data.volumeHandle || path))
  }
  return new Map([...handles].map(([driver, {size}]) => [driver, size]))
}

function volumesOf({name}: Driver, volumes: ReadonlyMap<string, number> | undefined): Pick<Driver, 'volumes'> {
  return volumes === undefined || name === undefined ? {} : {volumes: volumes.get(name) ?? 0}
}

function listOf<T>(reading: Reading<readonly T[]>): readonly T[] {
  return reading.state === 'read' ? reading.value : []
}

function byName(one: Driver, other: Driver): number {
  if (one.name === undefined || other.name === undefined) return Number(one.name === undefined) - Number(other.name === undefined)
  return one.name < other.name ? -1 : Number(one.name > other.name)
}
