// Asks one socket. What it says is written down as it is, contradictions and all.
import type {Clock} from '../../base/clock.ts'
import type {ChannelOptions} from '../../wire/channel.ts'
import {type CsiClient, openCsi} from '../../wire/csi-client.ts'
import {type NodeServiceCapability, NodeServiceCapability_RPC_TypeSchema} from '../../wire/gen/csi_pb.ts'
import {getPluginInfo} from '../../wire/registration-client.ts'
import {RpcFailure} from '../../wire/rpc-failure.ts'
import {answerOf} from './answer.ts'
import {type FoundSocket, withinReach} from './look-at-socket.ts'
import type {DriverSocket, Registration} from './sockets.ts'

export interface AskOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** For connecting, and for each call. */
  readonly timeoutMs: number
}

export type RegistrationSaid = Omit<Registration, 'socket'>
export type DriverSaid = Omit<DriverSocket, 'socket'>

export async function askRegistration(found: FoundSocket, options: AskOptions): Promise<RegistrationSaid> {
  return await asking(found, options, async (channel) => {
    const {type, name, endpoint, supportedVersions} = await getPluginInfo(channel)
    // Without an endpoint the plugin serves on this socket (operation_generator.go).
    return {
      answer: {state: 'answers'},
      type,
      name,
      endpoint: endpoint === '' ? found.path : hostPath(endpoint),
      versions: supportedVersions,
    }
  })
}

/**
 * The name first: only of a driver is anything more asked. One that does not answer the rest has failed to tell us, which is no state of its
 * socket: what it did tell is kept.
 */
export async function askDriver(found: FoundSocket, options: AskOptions): Promise<DriverSaid> {
  return await asking(found, options, async (channel) => {
    using client = await openCsi(channel)
    const {name, vendorVersion: version} = await client.getPluginInfo()
    const [ready, capabilities, nodeId] = await Promise.all([
      settled(probe(client)),
      settled(client.nodeGetCapabilities().then((reply) => reply.capabilities.flatMap(capabilityName))),
      settled(client.nodeGetInfo().then((reply) => reply.nodeId)),
    ])
    const failure = [ready, capabilities, nodeId].find(({failure}) => failure !== undefined && failure.kind !== 'no-service')?.failure
    // Probe asks for no more than a sign of life: whoever does not give one hangs, whatever it has said before.
    const why = `it answered GetPluginInfo, but ${failure?.message}`
    const short =
      ready.failure?.kind === 'silent' ? ({state: 'silent', why, waitedMs: options.timeoutMs} as const) : ({state: 'failed', why} as const)
    return {
      answer: failure ? short : {state: 'answers'},
      name,
      version,
      ...(ready.value !== undefined && {ready: ready.value}),
      ...(capabilities.value && {capabilities: capabilities.value}),
      ...(nodeId.value !== undefined && {nodeId: nodeId.value}),
    }
  })
}

async function asking<T>(
  found: FoundSocket,
  {clock, signal, timeoutMs}: AskOptions,
  ask: (channel: ChannelOptions) => Promise<T>,
): Promise<T | {readonly answer: ReturnType<typeof answerOf>}> {
  const limits = {connectTimeoutMs: timeoutMs, callTimeoutMs: timeoutMs}
  try {
    return await withinReach(found, (reachedAt) => ask({path: found.path, reachedAt, clock, ...limits, ...(signal && {signal})}))
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof RpcFailure) return {answer: answerOf(error, timeoutMs)}
    const {code} = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return {answer: {state: 'failed', why: `${found.path} cannot be reached (${code})`}}
  }
}

/** CSI: a plugin that is not healthy may leave `ready` false, or answer with an error. */
async function probe(client: CsiClient): Promise<boolean | undefined> {
  try {
    return (await client.probe()).ready
  } catch (error) {
    if (error instanceof RpcFailure && error.code === 'FAILED_PRECONDITION') return false
    throw error
  }
}

interface Settled<T> {
  readonly value?: T
  readonly failure?: RpcFailure
}

async function settled<T>(call: Promise<T>): Promise<Settled<T>> {
  try {
    return {value: await call}
  } catch (error) {
    if (error instanceof RpcFailure) return {failure: error}
    throw error
  }
}

function capabilityName({type}: NodeServiceCapability): string[] {
  if (type.case !== 'rpc') return []
  const {type: number} = type.value
  return [NodeServiceCapability_RPC_TypeSchema.value[number]?.name ?? String(number)]
}

/** 'unix:///run/x.sock' as the path that it names; anything else as it is. */
function hostPath(endpoint: string): string {
  return /^unix:(?:\/\/)?([/@].*)$/s.exec(endpoint)?.[1] ?? endpoint
}
