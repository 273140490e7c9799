// The calls of a proxy between two peers that write frames by hand.
import {type SimulatedClock, simulatedClock} from '../../src/base/simulated-clock.ts'
import type {Rule} from '../../src/faults/rule.ts'
import type {ClientConnection} from '../../src/http2/client-connection.ts'
import {callHandler} from '../../src/proxy/call/call-handler.ts'
import {nameIndex} from '../../src/proxy/call/names/name-index.ts'
import {ruleBook} from '../../src/proxy/call/rule-book.ts'
import type {TracedCall} from '../../src/proxy/call/traced-call.ts'
import {rawRelay} from './raw-relay.ts'

const nobody = (): Promise<ClientConnection> => Promise.reject(new Error('nobody is there'))

/** @param dial of a second connection @param greets whether both have sent SETTINGS and acknowledged the other's */
export async function rawCalls(
  rules: readonly Rule[],
  {greets = true, dial = nobody}: {readonly greets?: boolean; readonly dial?: () => Promise<ClientConnection>} = {},
) {
  const clock: SimulatedClock = simulatedClock(0)
  const book = ruleBook({rules, seed: 1, clock})
  const calls: TracedCall[] = []
  let ids = 0
  const handleCall = callHandler({
    book,
    clock,
    names: nameIndex(),
    decodeAll: true,
    underWay: {clients: 0, server: 0},
    connection: 1,
    nextId: () => ++ids,
    signal: new AbortController().signal,
    healed: new AbortController().signal,
    dial,
    onCall: (call) => void calls.push(call),
  })
  return {...(await rawRelay(handleCall, {greets})), book, calls, clock}
}
