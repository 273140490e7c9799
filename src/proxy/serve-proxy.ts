// A proxy between a socket that clients find and the socket of a server.
import type {Server, Socket} from 'node:net'
import type {Clock} from '../base/clock.ts'
import type {MatchedCall, Rule} from '../faults/rule.ts'
import {openConnection} from '../http2/client-connection.ts'
import type {CallBook} from './call/call-book.ts'
import {callHandler} from './call/call-handler.ts'
import type {CalledMessages} from './call/called-messages.ts'
import {usualKeptLimits} from './call/message/kept-body.ts'
import {nameIndex, type PodName, type VolumeName} from './call/names/name-index.ts'
import {learnFromRuntime} from './call/names/prime.ts'
import {protectingBook} from './call/protecting-book.ts'
import {ruleBook} from './call/rule-book.ts'
import type {TracedCall} from './call/traced-call.ts'
import type {UnderWay} from './call/under-way.ts'
import {armedRules} from './listen/armed-rules.ts'
import {dial} from './listen/dial.ts'
import {openGate, type SocketFaultChange} from './listen/gate.ts'
import type {Place} from './listen/place.ts'
import {addressText, parseProxyAddress} from './listen/proxy-address.ts'
import {relay} from './relay/relay.ts'
import type {ProxyRules} from './rules-in-force.ts'

export interface ProxyOptions {
  /** Paths of unix sockets, '@name' for abstract ones, or 'tcp:127.0.0.1:PORT' (loopback only). */
  readonly listen: string
  readonly upstream: string
  readonly rules: readonly Rule[]
  /** Of the dice of `probability` and `jitter`. */
  readonly seed: number
  readonly clock: Clock
  readonly onCall?: (call: TracedCall) => void
  /** The same with its messages, once for each call, when its client's part is over. Absent: none of them are kept. */
  readonly onMessages?: (messages: CalledMessages) => void
  /** At once when a rule takes a call; what is known of it then may be its method alone. */
  readonly onTake?: (rule: Rule, call: MatchedCall) => void
  /** Requests of known services are decoded for names and the trace even where no rule asks for it. Default: no. */
  readonly decodeAll?: boolean
  /** Where it listens instead of a socket of its own at `listen`, which is then its name alone: a place that was taken over, open when it resolves. Each listener that it is given is bound once. */
  readonly placeFor?: (serverFor: () => Server) => Promise<Place>
  /** Calls about pods and claims of these namespaces pass, whatever the rules say, as far as their names are known; then each request that has one is decoded. */
  readonly protect?: readonly string[]
  /** Names that were known before the first call: CSI's paths have a pod's UID alone. */
  readonly knownPods?: readonly PodName[]
  readonly knownVolumes?: readonly VolumeName[]
  /** The server is a runtime, which is asked once, before the proxy listens, for the pods and containers that it has; without an answer it goes on. */
  readonly prime?: 'cri'
  /** Of the socket's file; default 0o600. */
  readonly mode?: number
  readonly onSocketFault?: (change: SocketFaultChange) => void
  /** The listener is not as it should be: somebody else has its place. */
  readonly onTrouble?: (text: string) => void
}

export interface Proxy extends AsyncDisposable {
  /** Of `listen`, with the port where it was 0: 'unix:///run/x.sock', 'tcp:127.0.0.1:7000'. */
  readonly address: string
  readonly rules: ProxyRules
  /** At this moment. */
  readonly underWay: Readonly<UnderWay>
  /**
   * For good: pauses the rules, lets go of the calls that they hold, and tells the clients to connect anew (GOAWAY, in two steps as grpc-go's GracefulStop has it). Resolves when
   * all connections have ended, or the signal comes: what is left then ends with the proxy. New connections are served, and told the same.
   */
  drain(signal: AbortSignal): Promise<void>
}

/** It listens when this resolves. @throws UserError when an address is none, something lives at `listen`, or two rules have one name */
export async function serveProxy(options: ProxyOptions): Promise<Proxy> {
  const {clock, seed, onCall, onTake, onSocketFault, placeFor, decodeAll = false, onTrouble = () => undefined, mode = 0o600} = options
  const {onMessages, protect = [], knownPods = [], knownVolumes = []} = options
  const listen = parseProxyAddress(options.listen, 'the address to listen on')
  const upstream = parseProxyAddress(options.upstream, 'the address of the server')
  const ended = new AbortController()
  const healed = new AbortController()
  const book = ruleBook({rules: options.rules, seed, clock})
  const names = nameIndex()
  for (const pod of knownPods) names.addPod(pod)
  for (const volume of knownVolumes) names.addVolume(volume)
  const dialOnce = async () => openConnection(await dial(upstream, ended.signal))
  const underWay = {clients: 0, server: 0}
  const keep = onMessages && {limits: usualKeptLimits, held: {bytes: 0}, onMessages}
  let calls = 0
  let connections = 0
  const sparing = protect.length === 0 ? book : protectingBook(book, protect)
  const told = onTake === undefined ? sparing : tellingBook(sparing, onTake)
  const join = (client: Socket, server: Socket) => {
    const connection = ++connections
    const signal = ended.signal
    const counts = {connection, nextId: () => ++calls, underWay}
    const shared = {book: told, clock, dial: dialOnce, names, onCall, keep, ...counts, decodeAll, signal, healed: healed.signal}
    return relay({client, upstream: server, handleCall: callHandler(shared)})
  }
  // What is to be taken over still has its own place.
  const first = placeFor === undefined ? upstream : listen
  if (options.prime === 'cri') await learnFromRuntime(async () => openConnection(await dial(first, ended.signal)), names, clock)
  const armed = armedRules(book, clock, () => gate.settle())
  const gate = await openGate({listen, upstream, mode, clock, socketFault: armed.socketFault, placeFor, join, onSocketFault, onTrouble})
  return {
    get address() {
      return addressText(gate.address)
    },
    rules: armed.rules,
    get underWay() {
      return {...underWay}
    },
    drain: (signal) => {
      // First, so that the end of a fault of the socket opens no place that may be somebody else's by now.
      const drained = gate.drain(signal)
      armed.rules.pause(true)
      healed.abort()
      return drained
    },
    [Symbol.asyncDispose]: async () => {
      try {
        // First, so that no client takes the end of its call for an answer.
        await gate[Symbol.asyncDispose]()
      } finally {
        ended.abort()
      }
    },
  }
}

function tellingBook(book: CallBook, onTake: (rule: Rule, call: MatchedCall) => void): CallBook {
  return {
    mayMatch: (call) => book.mayMatch(call),
    decide: (call) => {
      const decision = book.decide(call)
      if (decision.rule !== undefined) onTake(decision.rule, call)
      return decision
    },
    get usesNames() {
      return book.usesNames
    },
    memoryOf: (rule) => book.memoryOf(rule),
  }
}
