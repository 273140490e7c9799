// The calls that a bundle keeps so that it can answer them: to the container runtime, to each driver and to each registration. None of them changes
// anything, and that one fails is evidence, never a failure of the snapshot.

import {type Channel, openChannel} from '../../wire/channel.ts'
import {RpcFailure} from '../../wire/rpc-failure.ts'
import {parseSocketAddress} from '../../wire/socket-address.ts'
import {lookAtSocket, withinReach} from '../csi/look-at-socket.ts'
import type {Host} from '../endpoints/host.ts'
import {followLinks} from '../follow-links.ts'
import {known} from '../reading.ts'
import type {Machine} from '../runtime-source.ts'
import type {Snapshot} from '../snapshot.ts'
import {callMs, type Keeper} from './keep-call.ts'
import {keepDriver, keepRegistration} from './keep-csi.ts'
import {inOrder, keepRuntime} from './keep-runtime.ts'
import type {KeptCalls} from './kept-calls.ts'

interface KeepOptions extends Pick<Machine, 'clock' | 'signal'> {
  /** The node. */
  readonly host: Host
  /** Milliseconds since 1970. */
  readonly until: number
}

const connectMs = 2000
/** A file of a bundle may have 64 MiB, of which requests and names have some. */
const mostBytes = 40 * 1024 * 1024
/** Sockets of drivers at a time. */
const socketsAtOnce = 8
/** What the kubelet reads of a runtime at most. */
const maxMessageBytes = 16 * 1024 * 1024

/** @throws the signal's reason */
export async function keepCalls({readings}: Snapshot, options: KeepOptions): Promise<KeptCalls> {
  const keeper: Keeper = {...options, kept: [], hits: {}, room: {left: mostBytes}}
  const missing: string[] = []
  const answers = known(readings['runtime.answers'])
  const lists = {sandboxes: known(readings['runtime.sandboxes']), containers: known(readings['runtime.containers'])}
  const runtime = async () => {
    if (answers === undefined || answers.calls.every(({outcome}) => outcome.state !== 'answered')) return
    const {path} = parseSocketAddress(answers.endpoint, 'the endpoint')
    await asked(path, options, async (channel) => missing.push(...(await keepRuntime(channel, path, lists, keeper))))
  }
  const ofSockets = [
    ...answering(known(readings['csi.drivers'])).map(
      (socket) => async () => asked(socket, options, (channel) => keepDriver(channel, socket, keeper)),
    ),
    ...answering(known(readings['csi.registrations'])).map(
      (socket) => async () => asked(socket, options, (channel) => keepRegistration(channel, socket, keeper)),
    ),
  ]
  await Promise.all([runtime(), inOrder(ofSockets, socketsAtOnce)])
  options.signal.throwIfAborted()
  if (options.clock.now() >= options.until) missing.push('no time was left for all calls')
  return {calls: keeper.kept.toSorted((a, b) => a.at - b.at), hits: keeper.hits, missing}
}

function answering(sockets: readonly {readonly socket: string; readonly answer: {readonly state: string}}[] = []): readonly string[] {
  return sockets.filter(({answer}) => answer.state === 'answers' || answer.state === 'failed').map(({socket}) => socket)
}

/** A socket that cannot be reached any more has nothing to tell. */
async function asked(path: string, {host, clock, signal, until}: KeepOptions, work: (channel: Channel) => Promise<unknown>): Promise<void> {
  const left = until - clock.now()
  if (left <= 0) return
  const placeOf = async (each: string) => host.locate(await followLinks(each, host.locate, host.reach))
  const limits = {connectTimeoutMs: Math.min(connectMs, left), callTimeoutMs: Math.min(callMs, left)}
  try {
    const found = await lookAtSocket(path, placeOf)
    if (!('id' in found)) return
    await withinReach(found, async (reachedAt) => {
      using channel = await openChannel({path, reachedAt, clock, signal, ...limits}, maxMessageBytes)
      await work(channel)
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RpcFailure) && (error as NodeJS.ErrnoException).code === undefined) throw error
  }
}
