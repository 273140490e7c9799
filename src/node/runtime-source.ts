// Where lists come from: a container runtime of this node, or a bundle that was made of one.

import type {Clock} from '../base/clock.ts'
import {UserError} from '../base/errors.ts'
import {exitCodes} from '../base/exit-codes.ts'
import {liveLists, type RuntimeLists} from './cri.ts'
import {capturedLists} from './cri-captured.ts'
import type {WorkerProcess} from './disk/stat-worker.ts'
import {readCrictlConfig} from './endpoints/crictl-config.ts'
import {type DiscoverOptions, type Discovery, discover} from './endpoints/discover.ts'
import type {Host} from './endpoints/host.ts'
import {absent, type Reading} from './reading.ts'
import {type Readings, type Snapshot, sourceNames} from './snapshot.ts'

/** This machine, as commands hand it in. */
export interface Machine {
  readonly host: Host
  readonly clock: Clock
  /** Aborted with its reason when the user or the deadline ends the command. */
  readonly signal: AbortSignal
  /** Who is still to answer, for a person who waits. */
  readonly waiting: Set<string>
  /** Starts a stat worker: the same program once more. */
  readonly spawnStatWorker: () => WorkerProcess
  readonly openBundle: (path: string, options?: {readonly keepReplies?: boolean}) => Promise<Snapshot>
}

export interface RuntimeRequest {
  readonly runtimeEndpoint?: string
  readonly config?: string
  /** Milliseconds; default: crictl's configuration, else 2 s. */
  readonly connectTimeoutMs?: number
  /** A bundle to read instead. */
  readonly from?: string
}

export interface RuntimeSource extends AsyncDisposable {
  readonly lists: RuntimeLists
  /** Milliseconds since 1970: the moment the lists tell of. */
  readonly when: number
  readonly warnings: readonly string[]
  /** Everything known: the bundle, or what was just read and nothing else. */
  snapshot(read: Partial<Readings>): Snapshot
}

const connectTimeoutMs = 2000
/** crictl gives each call its 2 s for connecting, which is too little on a busy node (cri-tools#984, #1749). */
const longestCallMs = 10_000

/** @throws UserError when there is neither a runtime nor a bundle to read. */
export async function openRuntimeSource(request: RuntimeRequest, machine: Machine): Promise<RuntimeSource> {
  if (request.from !== undefined) return bundleSource(await machine.openBundle(request.from))
  const {clock, signal} = machine
  const discovery = await discoverRuntime(request, machine)
  const {client, chosen, warnings} = discovery
  if (client === undefined) throw chosen instanceof UserError ? chosen : new Error(`no connection to ${chosen.endpoint}`)
  const when = clock.now()
  return {
    lists: liveLists(client, {clock, signal}),
    when,
    warnings,
    snapshot: (read) => ({
      node: '',
      when,
      kubeletRoot: '/var/lib/kubelet',
      kubeletVersion: undefined,
      readings: {...nothingRead, ...read},
      unread: {},
    }),
    [Symbol.asyncDispose]: () => discovery[Symbol.asyncDispose](),
  }
}

export async function discoverRuntime(
  request: RuntimeRequest,
  {host, clock, signal}: Machine,
  {callTimeoutMs = longestCallMs, ...options}: Pick<DiscoverOptions, 'everything'> & {readonly callTimeoutMs?: number} = {},
): Promise<Discovery> {
  const [config, {openCri}] = await Promise.all([readCrictlConfig(host, request.config), import('../wire/cri-client.ts')])
  const {runtimeEndpoint: flag} = request
  const connect = request.connectTimeoutMs || config.timeoutMs || connectTimeoutMs
  const discovery = await discover(
    {...options, ...(flag !== undefined && {flag}), ...(config.runtimeEndpoint && {configured: config.runtimeEndpoint})},
    host,
    (path) => openCri({path, clock, signal, connectTimeoutMs: connect, callTimeoutMs}),
  )
  return {...discovery, warnings: [...config.warnings, ...discovery.warnings]}
}

function bundleSource(snapshot: Snapshot): RuntimeSource {
  return {
    lists: capturedLists(snapshot.readings),
    when: snapshot.when,
    warnings: [],
    snapshot: () => snapshot,
    [Symbol.asyncDispose]: async () => undefined,
  }
}

const nothingRead = Object.fromEntries(sourceNames.map((name) => [name, absent('this command does not read it')])) as unknown as Readings

/**
 * The list, for whoever cannot do without.
 * @throws UserError when it was not read.
 */
export function listOf<T>(reading: Reading<readonly T[]>, what: string): readonly T[] {
  if (reading.state === 'read') return reading.value
  throw new UserError(`Cannot list the ${what} as the container runtime's list must be readable: ${reading.why}`, {exit: exitCodes.blind})
}
