// The CSI drivers that the kubelet knows, by their names. Upstream: volume/csi/csi_plugin.go, RegistrationHandler; csi_drivers_store.go
import type {ScaledClock} from '../../base/scaled-clock.ts'
import type {CsiPort, KubeletPorts} from '../../kubelet/ports.ts'
import {type CsiVersion, compareVersions, highestSupportedVersion} from './csi-version.ts'
import type {Plugin} from './register-plugin.ts'
import {onConnection, type RemoteCsiOptions, remoteCsi} from './remote-csi.ts'

export interface RegisteredDrivers {
  /** @throws when its versions are none of ours, or another driver of its name is as new */
  validate(plugin: Plugin): void
  /** @throws when it does not say what its node is */
  register(plugin: Plugin): Promise<void>
  deregister(name: string): void
  get(name: string): CsiPort | undefined
}

export interface RegisteredDriversOptions extends Omit<RemoteCsiOptions, 'path'> {
  readonly clock: ScaledClock
  readonly log: KubeletPorts['log']
  readonly signal: AbortSignal
}

const csiTimeout = 120_000

export function registeredDrivers(options: RegisteredDriversOptions): RegisteredDrivers {
  const {clock, log, signal} = options
  const drivers = new Map<string, {readonly version: CsiVersion; readonly port: CsiPort}>()

  const validateVersions = ({name, versions}: Plugin): CsiVersion => {
    if (versions.length === 0) throw new Error(`CSI driver "${name}" returned an empty list for supported versions`)
    const newest = highestSupportedVersion(versions)
    const existing = drivers.get(name)
    if (existing !== undefined && compareVersions(existing.version, newest) >= 0) {
      const known = existing.version.join('.')
      throw new Error(`Another driver with the same name is already registered with a higher supported version: "${known}" (${name})`)
    }
    return newest
  }

  return {
    validate: (plugin) => {
      const {name, endpoint, versions} = plugin
      const text = `kubernetes.io/csi: Trying to validate a new CSI Driver with name: ${name} endpoint: ${endpoint} versions: ${versions.join(',')}`
      log({text})
      validateVersions(plugin)
    },
    register: async (plugin) => {
      const {name, endpoint} = plugin
      log({text: `kubernetes.io/csi: Register new plugin with name: ${name} at endpoint: ${endpoint}`})
      const target = {...options, path: endpoint}
      drivers.set(name, {version: validateVersions(plugin), port: remoteCsi(target)})
      try {
        await onConnection({path: endpoint, clock}, {timeoutMs: csiTimeout, signal}, (node, within) => node.nodeGetInfo({}, within))
      } catch (error) {
        drivers.delete(name)
        throw error
      }
    },
    deregister: (name) => {
      log({text: `kubernetes.io/csi: registrationHandler.DeRegisterPlugin request for plugin ${name}`})
      drivers.delete(name)
    },
    get: (name) => drivers.get(name)?.port,
  }
}
