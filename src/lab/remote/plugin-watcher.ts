// Finds plugins by their sockets in plugins_registry, and registers those of CSI. Upstream: pluginmanager/pluginwatcher, pluginmanager/reconciler
//
// The kubelet is told of a new socket by the file system and looks at what it was told once a second; here the folder is read once a second.
import {mkdir, readdir, stat} from 'node:fs/promises'
import {join} from 'node:path'
import type {CsiPort} from '../../kubelet/ports.ts'
import {type PluginHandler, registerPlugin} from './register-plugin.ts'
import {type RegisteredDriversOptions, registeredDrivers} from './registered-drivers.ts'

export interface PluginWatcherOptions extends RegisteredDriversOptions {
  /** plugins_registry, as this machine has it; made when it is not there. */
  readonly registry: string
}

export interface PluginWatcher {
  /** Of a driver that is registered. */
  csi(driver: string): CsiPort | undefined
}

const period = 1000
const initialWait = 500
/** Two seconds more than two minutes, so that one knows it again. */
const maxWait = 122_000

interface Seen {
  /** Changes with the socket. */
  readonly mark: string
  busy: boolean
  /** Of the last try that failed. */
  failedAt: number
  wait: number
  /** Of the driver, once it counts as registered. */
  name?: string
}

export function startPluginWatcher(options: PluginWatcherOptions): PluginWatcher {
  const {registry, clock, log, signal} = options
  const drivers = registeredDrivers(options)
  const plugins = new Map<string, Seen>()

  const register = async (path: string, plugin: Seen): Promise<void> => {
    const handler: PluginHandler = {
      validate: drivers.validate,
      added: ({name}) => {
        plugin.name = name
      },
      register: drivers.register,
    }
    plugin.busy = true
    try {
      await registerPlugin({path, clock}, {CSIPlugin: handler}, signal)
    } catch (error) {
      signal.throwIfAborted()
      plugin.failedAt = clock.now()
      plugin.wait = plugin.wait === 0 ? initialWait : Math.min(2 * plugin.wait, maxWait)
      log({text: 'OperationExecutor.RegisterPlugin failed', fields: {plugin: path, err: String(error)}})
    } finally {
      plugin.busy = false
    }
  }

  const reconcile = async (): Promise<void> => {
    const sockets = await socketsBelow(registry)
    // Whoever goes goes first: the one that comes may have the same name.
    for (const [path, {mark, busy, name}] of plugins) {
      if (sockets.get(path) === mark || busy) continue
      plugins.delete(path)
      if (name !== undefined) drivers.deregister(name)
    }
    for (const [path, mark] of sockets) {
      const plugin = plugins.get(path) ?? {mark, busy: false, failedAt: Number.NEGATIVE_INFINITY, wait: 0}
      plugins.set(path, plugin)
      // One that counts as registered is not tried again, even where its driver did not answer then.
      if (plugin.name !== undefined || plugin.busy || clock.now() - plugin.failedAt <= plugin.wait) continue
      spawn(register(path, plugin))
    }
  }

  const run = async (): Promise<void> => {
    await mkdir(registry, {recursive: true})
    for (;;) {
      await reconcile()
      await clock.sleep(period, signal)
    }
  }
  const spawn = (work: Promise<void>): void => {
    work.catch((error) => {
      if (!signal.aborted) throw error
    })
  }
  spawn(run())
  return {csi: drivers.get}
}

/** Each with what tells it from one that was at its place before. A name that begins with a dot is nobody's. */
async function socketsBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const sockets = new Map<string, string>()
  for (const entry of await readdir(folder, {withFileTypes: true}).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) for (const [inner, mark] of await socketsBelow(path)) sockets.set(inner, mark)
    // It may be gone by now.
    const found = await stat(path).catch(() => undefined)
    if (found?.isSocket()) sockets.set(path, `${found.ino} ${found.birthtimeMs}`)
  }
  return sockets
}
