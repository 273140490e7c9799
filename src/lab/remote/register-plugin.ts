// One try to register the plugin behind a socket, and what the plugin is told of it. Upstream: pluginmanager/operationexecutor/operation_generator.go
import {type Client, createClient} from '@connectrpc/connect'
import type {CallOptions} from '../../kubelet/port.ts'
import {Registration} from '../../wire/gen/registration_pb.ts'
import {type CallTarget, callWithin, type Within} from './call-within.ts'
import {callOnce} from './connection.ts'

export interface Plugin {
  readonly type: string
  readonly name: string
  /** Of the plugin's own socket. */
  readonly endpoint: string
  readonly versions: readonly string[]
}

/** Upstream: PluginHandler */
export interface PluginHandler {
  /** @throws when it may not be registered */
  validate(plugin: Plugin): void
  /** From here on it counts as registered, whatever comes of it. */
  added(plugin: Plugin): void
  /** @throws when it could not be registered after all */
  register(plugin: Plugin): Promise<void>
}

const maxMessageBytes = 4 * 1024 * 1024
const infoTimeout = 1000
const notifyTimeout = 5000

/** @throws with the reason that the plugin was told, or why it could not even be asked */
export async function registerPlugin(
  target: CallTarget,
  handlers: Readonly<Record<string, PluginHandler>>,
  signal: AbortSignal,
): Promise<void> {
  const {path} = target
  const plugin = await pluginInfo(target, {timeoutMs: infoTimeout, signal}).catch((error) =>
    failWith(`failed to get plugin info using RPC GetInfo at socket ${path}, err: ${textOf(error)}`),
  )
  const refuse = async (why: string): Promise<never> => {
    await notify(target, {pluginRegistered: false, error: `RegisterPlugin error -- ${why}`}, {timeoutMs: notifyTimeout, signal})
    return failWith(why)
  }
  const handler = handlers[plugin.type]
  if (handler === undefined) return refuse(`no handler registered for plugin type: ${plugin.type} at socket ${path}`)
  try {
    handler.validate(plugin)
  } catch (error) {
    return refuse(`plugin validation failed with err: ${textOf(error)}`)
  }
  handler.added(plugin)
  try {
    await handler.register(plugin)
  } catch (error) {
    return refuse(`plugin registration failed with err: ${textOf(error)}`)
  }
  await notify(target, {pluginRegistered: true, error: ''}, {timeoutMs: notifyTimeout, signal}).catch((error) =>
    failWith(`failed to send registration status at socket ${path}, err: ${textOf(error)}`),
  )
}

function pluginInfo(target: CallTarget, options: CallOptions): Promise<Plugin> {
  return call(target, options, async (service, within) => {
    const {type, name, endpoint, supportedVersions: versions} = await service.getInfo({}, within)
    return {type, name, endpoint: endpoint || target.path, versions}
  })
}

function notify(target: CallTarget, status: {pluginRegistered: boolean; error: string}, options: CallOptions): Promise<void> {
  return call(target, options, async (service, within) => void (await service.notifyRegistrationStatus(status, within)))
}

function call<T>(
  target: CallTarget,
  options: CallOptions,
  work: (service: Client<typeof Registration>, within: Within) => Promise<T>,
): Promise<T> {
  return callWithin(target, options, (within) =>
    callOnce(target, maxMessageBytes, (transport) => work(createClient(Registration, transport), within)),
  )
}

function failWith(why: string): never {
  throw new Error(`RegisterPlugin error -- ${why}`)
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
