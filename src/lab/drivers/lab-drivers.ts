// The CSI drivers of a lab's node by their names: which are registered, and how they come and go.
import type {Dice} from '../../base/dice.ts'
import {UserError} from '../../base/errors.ts'
import type {CsiMethods, NodeCapability} from '../../kubelet/csi.ts'
import type {BoundClaim} from '../../kubelet/pod.ts'
import type {CsiPort} from '../../kubelet/ports.ts'
import {faultyPort, type PortOptions} from '../port/faulty-port.ts'
import {describeCsi} from './describe-csi.ts'
import {type DriverOptions, defaultCapabilities, type LabDriver} from './fake-driver.ts'

/** What somebody sees of it who looks at the node. */
export interface SeenDriver {
  readonly name: string
  readonly version: string
  readonly capabilities: readonly NodeCapability[]
  readonly isDown: boolean
  /** The socket of its registration is there. */
  readonly isRegistered: boolean
}

export interface LabDrivers {
  get(name: string): LabDriver | undefined
  /** What its socket leads to, registered or not. */
  port(name: string): CsiPort | undefined
  /** What a kubelet finds that has listened to registrations since a moment. */
  registered(since: number): (name: string) => CsiPort | undefined
  /** @param unregister its registration goes, too, and comes back a little after it */
  restart(name: string, downMs: number, unregister: boolean): void
  seen(): readonly SeenDriver[]
  /** Called when a registration goes, and when its socket is there again. @returns what ends it */
  watchRegistrations(listener: (name: string, isThere: boolean) => void): () => void
}

interface Entry {
  readonly driver: LabDriver
  readonly port: CsiPort
  /** Milliseconds since 1970; Infinity while it is not. */
  registeredAt: number
  down: boolean
}

export interface LabDriversOptions extends Omit<PortOptions, 'describe'> {
  readonly make: (options: DriverOptions) => LabDriver
  readonly dice: Dice
  readonly nameOf: (uid: string) => string | undefined
  /** Gives the port by which the kubelet reaches a driver. Default: the direct one. */
  readonly through?: (port: CsiPort, driver: LabDriver) => CsiPort
}

/** @param claims the drivers have their volumes from the start @throws UserError when there is none for a claim */
export function labDrivers(drivers: readonly DriverOptions[], claims: readonly BoundClaim[], options: LabDriversOptions): LabDrivers {
  const {clock, dice, make, nameOf, through} = options
  const all = new Map<string, Entry>()
  for (const each of drivers) {
    const driver = make(each)
    const direct = faultyPort<CsiMethods>(driver.node, {...options, describe: describeCsi(each.name, nameOf)})
    const port = through?.(direct, driver) ?? direct
    all.set(each.name, {driver, port, registeredAt: 0, down: false})
  }
  const find = (name: string): Entry => {
    const found = all.get(name)
    if (found === undefined) throw new UserError(`Cannot use the driver as it must be one of the lab's: it is '${name}'`)
    return found
  }
  for (const {driver, volumeHandle, volumeMode} of claims) find(driver).driver.controller.createVolume(volumeHandle, volumeMode)
  const watchers = new Set<(name: string, isThere: boolean) => void>()
  const comeBack = async (name: string, downMs: number) => {
    const entry = find(name)
    await clock.sleep(downMs)
    entry.driver.start()
    entry.down = false
    // The registrar's socket is there again, and the kubelet's plugin manager looks once a second.
    if (entry.registeredAt !== Number.POSITIVE_INFINITY) return
    entry.registeredAt = clock.now() + 200 + dice.of(`registration of ${name}`).roll(1000)
    for (const watcher of watchers) watcher(name, true)
  }
  return {
    get: (name) => all.get(name)?.driver,
    port: (name) => all.get(name)?.port,
    registered: (since) => (name) => {
      const entry = all.get(name)
      return entry !== undefined && clock.now() >= Math.max(since, entry.registeredAt) ? entry.port : undefined
    },
    restart: (name, downMs, unregister) => {
      const entry = find(name)
      if (entry.down) throw new UserError(`Cannot restart the driver ${name} as it must run: it is down`)
      entry.down = true
      entry.driver.stop()
      if (unregister) {
        entry.registeredAt = Number.POSITIVE_INFINITY
        for (const watcher of watchers) watcher(name, false)
      }
      void comeBack(name, downMs)
    },
    seen: () =>
      drivers.map(({name, capabilities = defaultCapabilities}) => {
        const {driver, down, registeredAt} = find(name)
        const {vendorVersion: version} = driver.identity.pluginInfo()
        return {name, version, capabilities, isDown: down, isRegistered: registeredAt !== Number.POSITIVE_INFINITY}
      }),
    watchRegistrations: (listener) => {
      const own = (name: string, isThere: boolean) => listener(name, isThere)
      watchers.add(own)
      return () => void watchers.delete(own)
    },
  }
}
