// A takeover in this process, as inject has it, with a watchdog that is a process or that is none.

import {systemClock} from '../../src/base/clock.ts'
import {UserError} from '../../src/base/errors.ts'
import type {Rule} from '../../src/faults/rule.ts'
import type {TracedCall} from '../../src/proxy/call/traced-call.ts'
import {serveProxy} from '../../src/proxy/serve-proxy.ts'
import type {GivenBack} from '../../src/proxy/takeover/give-back.ts'
import {pinSocket} from '../../src/proxy/takeover/pinned-socket.ts'
import {readDress} from '../../src/proxy/takeover/socket-attributes.ts'
import {type StartWatchdog, type TakeoverEnd, takeOver} from '../../src/proxy/takeover/take-over.ts'
import {endpointOf} from '../../src/wire/socket-address.ts'

export interface TakenSocket extends AsyncDisposable {
  readonly lost: Promise<TakeoverEnd>
  /** New clients reach the server when it resolves. */
  giveBack(): Promise<GivenBack>
  /** Clients of ours have ended when it resolves, or have had some seconds. */
  drain(): Promise<void>
}

export interface TakenSocketOptions {
  readonly socket: string
  readonly journals: string
  readonly rules: readonly Rule[]
  readonly seed: number
  readonly onCall: (call: TracedCall) => void
  readonly startWatchdog?: StartWatchdog
  /** What is done next. */
  readonly onStep: (step: string) => void
}

/** Nobody needs it as long as this process lives. */
const noWatchdog: StartWatchdog = async () => ({
  pid: process.pid,
  gone: new Promise<never>(() => undefined),
  [Symbol.asyncDispose]: async () => undefined,
})

const partingMs = 10_000

/** @throws UserError when its server is not there at this moment, or restarts in it */
export async function takeSocket({
  socket,
  journals,
  rules,
  seed,
  onCall,
  onStep,
  startWatchdog = noWatchdog,
}: TakenSocketOptions): Promise<TakenSocket> {
  const clock = systemClock
  onStep('taking it over')
  await using stack = new AsyncDisposableStack()
  const isGone = (cause: unknown) => {
    throw new UserError('Cannot take it over as it must be there: it is not', {cause})
  }
  const pinned = stack.use(await pinSocket(socket).catch(isGone))
  const dress = await readDress(socket).catch(isGone)
  const of = {
    tool: 'kubelimbo test',
    command: 'inject',
    journals,
    pid: process.pid,
    clock,
    startWatchdog,
    onTrouble: () => undefined,
  } as const
  const takeover = stack.use(await takeOver({socket, original: pinned.id, dress, forMs: 60_000, ...of}))
  const {placeFor} = takeover
  const listen = endpointOf(socket)
  const proxy = stack.use(await serveProxy({listen, upstream: endpointOf(pinned.path), rules, seed, clock, onCall, placeFor}))
  onStep('taken over')
  const all = stack.move()
  return {
    lost: takeover.lost,
    giveBack: () => {
      proxy.rules.pause(true)
      onStep('giving back')
      return takeover.giveBack()
    },
    drain: async () => {
      onStep('draining')
      const late = new AbortController()
      const over = clock.sleep(partingMs, late.signal).then(
        () => late.abort(),
        () => undefined,
      )
      await proxy.drain(late.signal)
      late.abort()
      await over
    },
    [Symbol.asyncDispose]: async () => {
      onStep('ending')
      await all.disposeAsync()
      onStep('ended')
    },
  }
}
