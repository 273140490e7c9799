// All connections of a proxy. Clients find what they would find without it: while nobody is behind it, or a fault of the socket is in force, neither is it.
import type {Server, Socket} from 'node:net'
import {type Clock, steadyNow} from '../../base/clock.ts'
import {firstLine} from '../../base/errors.ts'
import type {SocketFault} from '../../faults/fault.ts'
import type {Relay} from '../relay/relay.ts'
import type {Absence} from './dial.ts'
import {type Listener, openListener} from './listener.ts'
import {park} from './park.ts'
import type {Place} from './place.ts'
import {addressText, type ProxyAddress} from './proxy-address.ts'
import type {SocketFaultNow} from './socket-faults.ts'
import {upstreamAt} from './upstream.ts'

export interface GateOptions {
  readonly listen: ProxyAddress
  readonly upstream: ProxyAddress
  /** Of the socket's file. */
  readonly mode: number
  readonly clock: Clock
  readonly socketFault: () => SocketFaultNow
  /** Instead of a place at `listen`: one that was taken over. */
  readonly placeFor?: ((serverFor: () => Server) => Promise<Place>) | undefined
  readonly join: (client: Socket, upstream: Socket) => Relay
  /** A fault of the socket begins, or is over. */
  readonly onSocketFault?: ((change: SocketFaultChange) => void) | undefined
  /** What went wrong with the listener. */
  readonly onTrouble: (text: string) => void
}

/** Milliseconds between two looks whether a connection is left. */
const lookEvery = 20

export interface SocketFaultChange {
  readonly rule: string
  readonly fault: SocketFault
  readonly begins: boolean
}

export interface Gate extends AsyncDisposable {
  readonly address: ProxyAddress
  /** Rules have changed. */
  settle(): void
  /**
   * All connections are told that there will be no more calls on them, those that come later at once, and end as soon as theirs are over. The listener stays as it is. Resolves
   * when there is none left, or the signal comes.
   */
  drain(signal: AbortSignal): Promise<void>
}

/** It listens when this resolves. @throws UserError when something lives there */
export async function openGate(options: GateOptions): Promise<Gate> {
  const {clock, socketFault, join, onSocketFault, placeFor} = options
  const relays = new Set<Relay>()
  const dialing = new Set<Socket>()
  /** Taken, and not served: accept-silent. */
  const parked = new Map<Socket, () => void>()
  const ended = new AbortController()
  const upstream = upstreamAt({address: options.upstream, clock, onChange: () => void settle()})
  let fault: SocketFault | undefined
  let cause = ''
  let sleeper = new AbortController()
  let draining = false
  /** The last that was told; with each change of the rules the same may go wrong again. */
  let trouble: string | undefined
  const tell = (text: string) => {
    if (text !== trouble) options.onTrouble(text)
    trouble = text
  }

  const serve = async (client: Socket) => {
    dialing.add(client)
    const gone = new AbortController()
    const leaves = () => gone.abort()
    client.once('close', leaves)
    try {
      const server = await upstream.dial(gone.signal)
      // From now on it is for the relay to say what a client that goes takes with it: calls may outlive it.
      client.off('close', leaves)
      if (client.destroyed || ended.signal.aborted || !dialing.has(client)) return void server.destroy()
      const relay = join(client, server)
      relays.add(relay)
      if (draining) relay.drain(clock)
      void relay.ended.then(() => relays.delete(relay))
    } catch {
      // As it would be without us: there is nobody.
      client.destroy()
    } finally {
      dialing.delete(client)
    }
  }
  const onConnection = (client: Socket) => {
    if (ended.signal.aborted) client.destroy()
    else if (fault === 'accept-silent')
      parked.set(
        client,
        park(client, () => parked.delete(client)),
      )
    else void serve(client)
  }
  const breakAll = (why: string) => {
    for (const relay of relays) relay.destroy(why)
    for (const client of dialing) client.destroy()
    dialing.clear()
  }
  /** Of a place that was taken over the first client may come before it is here. */
  let listener: Listener | undefined
  const opened = await openListener({address: options.listen, mode: options.mode, onConnection, placeFor})
  listener = opened

  async function settle(): Promise<void> {
    if (ended.signal.aborted) return
    const now = socketFault()
    const begins = now.fault !== undefined && now.fault !== fault
    if (now.fault !== fault) {
      if (fault !== undefined) onSocketFault?.({rule: cause, fault, begins: false})
      cause = now.rule?.name ?? ''
      if (now.fault !== undefined) onSocketFault?.({rule: cause, fault: now.fault, begins: true})
    }
    fault = now.fault
    // A server that is gone has no connections either, and clients that keep one would never see that it is.
    if (begins) breakAll(`the fault ${now.fault} began`)
    if (fault !== 'accept-silent') release()
    const state = fault === 'refuse' || fault === 'no-socket' ? fault : fault === undefined ? withoutServer() : 'open'
    sleeper.abort()
    sleeper = new AbortController()
    if (now.changesAt !== undefined) clock.sleep(now.changesAt - steadyNow(clock), sleeper.signal).then(settle, () => undefined)
    // Whose place it is now is not for the gate to say.
    if (draining) return
    try {
      await listener?.become(state)
      if (!lacksSide()) trouble = undefined
    } catch (error) {
      tell(firstLine(error))
    }
  }

  /** Of a place that was taken over the server's own name is held beside it, so that it has gone means that somebody removed it: ours is all that is left. */
  const lacksSide = () => placeFor !== undefined && upstream.absence === 'no-socket'

  function withoutServer(): 'open' | Absence {
    if (!lacksSide()) return upstream.absence ?? 'open'
    tell(`Cannot reach the server any more as its socket must be at ${addressText(options.upstream)}: somebody has removed it`)
    return 'refuse'
  }

  /** What a server that was busy does in the end; but one that is gone takes those that wait with it. */
  function release(): void {
    for (const [client, giveBack] of parked) {
      parked.delete(client)
      giveBack()
      if (fault === undefined) void serve(client)
      else client.destroy()
    }
  }

  await settle()
  return {
    get address() {
      return opened.address
    },
    settle: () => void settle(),
    drain: async (signal) => {
      draining = true
      for (const relay of relays) relay.drain(clock)
      const isEmpty = () => relays.size + dialing.size + parked.size === 0
      const until = AbortSignal.any([signal, ended.signal])
      try {
        // Who connected just before may still have to be accepted.
        for (let quiet = 0; quiet < 2; quiet = isEmpty() ? quiet + 1 : 0) await clock.sleep(lookEvery, until)
      } catch (error) {
        if (!until.aborted) throw error
      }
    },
    [Symbol.asyncDispose]: async () => {
      ended.abort()
      sleeper.abort()
      upstream[Symbol.dispose]()
      try {
        await opened[Symbol.asyncDispose]()
      } finally {
        for (const client of parked.keys()) client.destroy()
        const open = [...relays]
        breakAll('the proxy ends')
        await Promise.all(open.map((relay) => relay.ended))
      }
    },
  }
}
