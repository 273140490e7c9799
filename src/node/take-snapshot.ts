// Everything that is known of a node at one moment: from a bundle, or from the sources of this one.
import {UserError} from '../base/errors.ts'
import {exitCodes} from '../base/exit-codes.ts'
import {parseInstant} from '../base/instant.ts'
import {withDeadline} from '../wire/deadline.ts'
import type {NodeRequest} from './node-request.ts'
import {absent, failed, type Reading} from './reading.ts'
import {type Machine, openRuntimeSource, type RuntimeRequest} from './runtime-source.ts'
import type {Readings, Snapshot} from './snapshot.ts'
import {sourceNames} from './snapshot.ts'

export interface SnapshotRequest extends RuntimeRequest, NodeRequest {
  /** The moment that ages are counted to, RFC 3339; default: when the readings were taken. */
  readonly now?: string
  /** Milliseconds. A source that has not answered by then is unseen, and costs nothing else. */
  readonly deadlineMs: number
  /** Keeps the raw replies in the readings, for a bundle. */
  readonly keepReplies?: boolean
}

export interface TakenSnapshot {
  readonly snapshot: Snapshot
  readonly warnings: readonly string[]
}

/** @throws UserError for what is wrong with the request or the bundle. A broken node is no error. */
export async function takeSnapshot(request: SnapshotRequest, machine: Machine): Promise<TakenSnapshot> {
  const now = request.now === undefined ? undefined : parseInstant(request.now, '--now')
  const taken =
    request.from === undefined ? await readNode(request, machine) : await readBundle(request.from, request.keepReplies ?? false, machine)
  return now === undefined ? taken : {...taken, snapshot: {...taken.snapshot, when: now}}
}

async function readBundle(path: string, keepReplies: boolean, machine: Machine): Promise<TakenSnapshot> {
  return {snapshot: await machine.openBundle(path, {keepReplies}), warnings: []}
}

const bundlesOnly = absent('this version reads it from bundles only')

async function readNode(request: SnapshotRequest, machine: Machine): Promise<TakenSnapshot> {
  const {readings, warnings} = await readRuntime(request, machine)
  const others = Object.fromEntries(sourceNames.map((name) => [name, bundlesOnly])) as unknown as Readings
  const snapshot = {
    node: '',
    when: machine.clock.now(),
    kubeletRoot: '/var/lib/kubelet',
    kubeletVersion: undefined,
    readings: {...others, ...readings},
    unread: {},
  }
  return {snapshot, warnings}
}

type RuntimeReadings = Pick<Readings, 'runtime.sandboxes' | 'runtime.containers'>

async function readRuntime(request: SnapshotRequest, machine: Machine): Promise<{readings: RuntimeReadings; warnings: readonly string[]}> {
  const {clock} = machine
  const started = clock.now()
  // What is left after the deadline is for saying so.
  const ms = request.deadlineMs * 0.9
  const within = <T>(work: (signal: AbortSignal) => Promise<T>) =>
    withDeadline(
      {clock, ms: ms - (clock.now() - started), signal: machine.signal, expired: () => blind(`no answer within ${Math.round(ms)} ms`)},
      work,
    )
  try {
    await using source = await within((signal) => openRuntimeSource(request, {...machine, signal}))
    const list = <T>(read: () => Promise<Reading<readonly T[]>>) =>
      within(read).catch((error) => brokenReading(error, clock.now() - started))
    const [sandboxes, containers] = await Promise.all([list(() => source.lists.sandboxes()), list(() => source.lists.containers())])
    return {readings: {'runtime.sandboxes': sandboxes, 'runtime.containers': containers}, warnings: source.warnings}
  } catch (error) {
    const broken = brokenReading(error, clock.now() - started)
    return {readings: {'runtime.sandboxes': broken, 'runtime.containers': broken}, warnings: []}
  }
}

function blind(message: string): UserError {
  return new UserError(message, {exit: exitCodes.blind})
}

/** Only what says "could not look" is a reading; a wrong command line stays an error. */
function brokenReading(error: unknown, tookMs: number) {
  if (error instanceof UserError && error.exit === exitCodes.blind) return failed(error.message, tookMs)
  throw error
}
