// All drivers of a lab's node on their sockets, for as long as they run and are registered.
import type {LabDrivers} from '../drivers/lab-drivers.ts'
import type {RegistrationStatus} from './registration-routes.ts'
import {type ServeDriverOptions, type ServedDriver, serveDriver} from './serve-driver.ts'

export interface ServeDriversOptions extends Omit<ServeDriverOptions, 'driver' | 'port' | 'onStatus'> {
  readonly drivers: LabDrivers
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
