// Stands between clients and a server for a while, and does to their calls what the rules say.
import type {Clock} from './base/clock.ts'
import {firstLine, UserError} from './base/errors.ts'
import {exitCodes} from './base/exit-codes.ts'
import {formatInstant} from './base/instant.ts'
import type {MatchedCall, Rule} from './faults/rule.ts'
import type {TracedCall} from './proxy/call/traced-call.ts'
import type {UnderWay} from './proxy/call/under-way.ts'
import {openControlFolder} from './proxy/control/control-folder.ts'
import type {InjectHears, InjectStarted, SocketFaultAt} from './proxy/control/inject-hears.ts'
import {postedRules} from './proxy/control/posted-rules.ts'
import {ruleView} from './proxy/control/rule-view.ts'
import {serveControl} from './proxy/control/serve-control.ts'
import {dial} from './proxy/listen/dial.ts'
import {isNoSocket} from './proxy/listen/is-no-socket.ts'
import {addressText, hasFile, type ProxyAddress, parseProxyAddress} from './proxy/listen/proxy-address.ts'
import {serveProxy} from './proxy/serve-proxy.ts'
import {callRing} from './proxy/trace/call-ring.ts'
import {ledgerBook} from './proxy/trace/ledger.ts'

export interface InjectRequest {
  readonly listen: string
  readonly upstream: string
  readonly rules: readonly Rule[]
  readonly seed: number
  /** Requests are decoded where no rule asks for it: for the trace, and for names in rules that come later. */
  readonly decode: boolean
  /** Then it ends by itself. */
  readonly forMs: number
  /** Where the control socket is to be: in a directory of this user's. */
  readonly control: string
  readonly uid: number
  readonly pid: number
  /** Whether there is a process of this id: sockets of those that are gone are removed. */
  readonly isAlive: (pid: number) => boolean
  readonly tool: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

const ringSize = 1000

/** @throws UserError when it cannot begin, or the signal's reason when that came first; what it did is undone by then */
export async function inject(request: InjectRequest, hears: InjectHears): Promise<void> {
  let started = false
  let cutOff: Readonly<UnderWay> = {clients: 0, server: 0}
  const early: SocketFaultAt[] = []
  const heard: InjectHears = {
    ...hears,
    started: (what: InjectStarted) => {
      started = true
      hears.started(what)
      for (const change of early) hears.socket(change)
    },
    socket: (change) => (started ? hears.socket(change) : void early.push(change)),
  }
  try {
    await injectWhile(request, heard, (calls) => {
      cutOff = calls
    })
  } catch (error) {
    if (started) hears.ended('stopped', cutOff)
    throw error
  }
  hears.ended('expired', cutOff)
}

/** @param ending told of the calls that are under way when it ends */
async function injectWhile(request: InjectRequest, hears: InjectHears, ending: (calls: Readonly<UnderWay>) => void): Promise<void> {
  const {clock, signal, forMs, control, rules, seed, pid, tool} = request
  await mustListen(request.upstream, '--upstream')
  const calls = callRing(ringSize)
  const ledger = ledgerBook()
  const onCall = (call: TracedCall) => {
    calls.add(call)
    ledger.add(call)
    if (call.rule !== undefined) hears.fault(call)
  }
  const onTake = ({name, fault}: Rule, {method}: MatchedCall) => hears.took({at: clock.now(), rule: name, fault: fault.kind, method})
  const {listen, upstream} = request
  await using proxy = await serveProxy({
    listen,
    upstream,
    clock,
    rules,
    seed,
    onCall,
    onTake,
    onSocketFault: (change) => hears.socket({at: clock.now(), ...change}),
    onTrouble: hears.trouble,
    decodeAll: request.decode,
  })
  const startedAt = clock.now()
  const info = {
    tool,
    pid,
    listen: proxy.address,
    upstream: addressText(parseProxyAddress(upstream, '--upstream')),
    seed,
    startedAt: formatInstant(startedAt),
    expiresAt: formatInstant(startedAt + forMs),
  }
  await using _folder = await openControlFolder(control, request.uid, request.isAlive)
  await using _control = await serveControl(control, {info, rules: proxy.rules, calls, ledger, parseRules: postedRules})
  hears.started({...info, control, rules: proxy.rules.list().map(ruleView)})
  try {
    await clock.sleep(forMs, signal)
  } finally {
    ending(proxy.underWay)
  }
}

/** @throws UserError when nobody does: more often than not the path is a wrong one */
export async function mustListen(upstream: string, flag: string): Promise<void> {
  const address = parseProxyAddress(upstream, flag)
  try {
    const socket = await dial(address)
    socket.destroy()
  } catch (error) {
    const {code = ''} = error as NodeJS.ErrnoException
    throw new UserError(
      `Cannot stand before ${addressText(address)} as somebody must listen there: ${isFile(address) ? 'what is there is no socket' : (reasons[code] ?? firstLine(error))}`,
      {
        hint: `start it first, or name another one with ${flag}`,
        exit: exitCodes.blind,
      },
    )
  }
}

const isFile = (address: ProxyAddress): boolean => hasFile(address) && isNoSocket(address.path)

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  ECONNREFUSED: 'nobody does',
  EACCES: 'this user may not open it',
}
