// Where a CSI driver listens: what its registration says, or what it says of itself.
import {UserError} from '../../../base/errors.ts'
import {exitCodes} from '../../../base/exit-codes.ts'
import {type Driver, joinDrivers} from '../../../node/csi/join-drivers.ts'
import type {Snapshot} from '../../../node/snapshot.ts'
import {thereAre} from './listed-words.ts'
import {whyUnknown} from './why-unknown.ts'

export interface FoundSocket {
  readonly path: string
  readonly words: string
  /** What the driver says that it can do, where it is known. */
  readonly capabilities?: readonly string[]
}

/** @throws UserError */
export function driverSocket(name: string, {readings}: Snapshot): FoundSocket {
  const all = joinDrivers(readings)
  const rows = all.filter((each) => each.name === name)
  const own = rows.filter((each) => each.socket !== undefined)
  const registered = own.filter((each) => each.registered.state === 'yes')
  const candidates = registered.length > 0 ? registered : own
  const paths = [...new Set(candidates.map(({socket = ''}) => socket))]
  const [path] = paths
  if (path === undefined) throw noSocket(name, rows, all, readings)
  if (paths.length > 1) {
    throw new UserError(`Cannot tell which socket is that of ${name} as it must have one: it has ${paths.join(' and ')}`, {
      hint: `name it: --upstream unix://${path}`,
      exit: exitCodes.blind,
    })
  }
  const capabilities = candidates[0]?.capabilities
  const words = `The driver ${name} listens on ${path}${troubleOf(candidates[0])}.`
  return {path, words, ...(capabilities !== undefined && {capabilities})}
}

function troubleOf(driver: Driver | undefined): string {
  const {answer, registered} = driver ?? {}
  if (answer !== undefined && answer.state !== 'answers') return `, and does not answer there now: ${answer.why}`
  return registered !== undefined && registered.state !== 'yes' ? `; whether the kubelet knows it is open: ${registered.why}` : ''
}

function noSocket(name: string, rows: readonly Driver[], all: readonly Driver[], readings: Snapshot['readings']): UserError {
  const hint = '--socket unix:///PATH/csi.sock names it'
  const unknown = whyUnknown(readings['csi.registrations'])
  if (rows.length > 0 || unknown !== undefined) {
    const why = unknown ?? 'nothing says where it listens'
    return new UserError(`Cannot find the driver ${name} as its socket must be known: ${why}`, {hint, exit: exitCodes.blind})
  }
  return new UserError(`Cannot find the driver as it must be one of this node: it is '${name}'`, {
    hint: thereAre(
      'drivers',
      all.flatMap((each) => each.name ?? []),
    ),
  })
}
