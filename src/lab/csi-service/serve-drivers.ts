// All drivers of a lab's node on their sockets, for as long as they run and are registered.
import type {Clock} from '../../base/clock.ts'
import type {LabDrivers} from '../lab-drivers.ts'
import type {CallerTime} from '../socket-call.ts'
import type {RegistrationStatus} from './registration-routes.ts'
import {type ServedDriver, serveDriver} from './serve-driver.ts'

export interface ServeDriversOptions {
  readonly drivers: LabDrivers
  /** The kubelet's, on this machine. */
  readonly root: string
  readonly nodeId: string
  /** Real time: callers on sockets count it, whatever the lab's clock does. */
  readonly clock: Clock
  readonly timeoutOf?: CallerTime['timeoutOf']
  readonly onStatus?: (name: string, status: RegistrationStatus) => void
}

export interface ServedDrivers extends AsyncDisposable {
  get(name: string): ServedDriver | undefined
}

export async function serveDrivers({drivers, onStatus, ...options}: ServeDriversOptions): Promise<ServedDrivers> {
  const served = new Map<string, ServedDriver>()
  for (const {name} of drivers.seen()) {
    const driver = drivers.get(name)
    const port = drivers.port(name)
    if (driver === undefined || port === undefined) continue
    served.set(name, await serveDriver({...options, driver, port, onStatus: (status) => onStatus?.(name, status)}))
  }
  const unwatch = drivers.watchRegistrations((name, isThere) => served.get(name)?.register(isThere))
  return {
    get: (name) => served.get(name),
    [Symbol.asyncDispose]: async () => {
      unwatch()
      for (const each of served.values()) await each[Symbol.asyncDispose]()
    },
  }
}
