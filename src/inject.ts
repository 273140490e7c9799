// Stands between clients and a server for a while, and does to their calls what the rules say.
import {type Clock, steadyNow} from './base/clock.ts'
import {UserError} from './base/errors.ts'
import {exitCodes} from './base/exit-codes.ts'
import {formatInstant} from './base/instant.ts'
import type {MatchedCall, Rule} from './faults/rule.ts'
import type {TracedCall} from './proxy/call/traced-call.ts'
import type {UnderWay} from './proxy/call/under-way.ts'
import {openControlFolder} from './proxy/control/control-folder.ts'
import {inOrder} from './proxy/control/in-order.ts'
import type {InjectHears, WhyEnded} from './proxy/control/inject-hears.ts'
import {postedRules} from './proxy/control/posted-rules.ts'
import {ruleView} from './proxy/control/rule-view.ts'
import {serveControl} from './proxy/control/serve-control.ts'
import type {SocketFaultChange} from './proxy/listen/gate.ts'
import {ownStand} from './proxy/stand/own-stand.ts'
import type {Stand} from './proxy/stand/stand.ts'
import {mustSuitTaken} from './proxy/stand/suits-taken.ts'
import {type TakeRequest, takenStand} from './proxy/stand/taken-stand.ts'
import {callRing} from './proxy/trace/call-ring.ts'
import {ledgerBook} from './proxy/trace/ledger.ts'

/** A place of its own, or a server's. */
export type InjectPlace = {readonly listen: string; readonly upstream: string} | {readonly take: TakeRequest}

export interface InjectOptions {
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

export type InjectRequest = InjectPlace & InjectOptions

const ringSize = 1000

/** @throws UserError when it cannot begin, or the signal's reason when that came first; what it did is undone by then */
export async function inject(request: InjectRequest, hears: InjectHears): Promise<void> {
  const told = inOrder(hears)
  let cutOff: Readonly<UnderWay> = {clients: 0, server: 0}
  let why: WhyEnded
  try {
    why = await injectWhile(request, told.hears, (calls) => {
      cutOff = calls
    })
  } catch (error) {
    if (told.started) hears.ended(isDirty(error) ? 'left dirty' : 'stopped', cutOff)
    throw error
  }
  hears.ended(why, cutOff)
}

/** @param ending told of the calls that are cut off when it ends */
async function injectWhile(request: InjectRequest, hears: InjectHears, ending: (calls: Readonly<UnderWay>) => void): Promise<WhyEnded> {
  const {forMs, control, seed, pid, tool} = request
  const calls = callRing(ringSize)
  const ledger = ledgerBook()
  // What can be refused is, before anything of a server's is touched.
  await using _folder = await openControlFolder(control, request.uid, request.isAlive)
  await using stand = await standOf(request, hears, (call) => {
    calls.add(call)
    ledger.add(call)
    if (call.rule !== undefined) hears.fault(call)
  })
  const {proxy, upstream, taken} = stand
  const times = {startedAt: formatInstant(stand.since.now), expiresAt: formatInstant(stand.since.now + forMs)}
  const info = {tool, pid, listen: proxy.address, upstream, seed, ...times}
  const parseRules = (text: string) => {
    const file = postedRules(text)
    if (taken !== undefined) mustSuitTaken(file.rules)
    return file
  }
  await using _control = await serveControl(control, {info, rules: proxy.rules, calls, ledger, parseRules})
  hears.started({...info, control, ...(taken && {taken}), rules: proxy.rules.list().map(ruleView)})
  try {
    return await untilOver(request, stand)
  } finally {
    ending(await stand.leave())
  }
}

function standOf(request: InjectRequest, hears: InjectHears, onCall: (call: TracedCall) => void): Promise<Stand> {
  const {clock, rules, seed, decode} = request
  const proxy = {
    clock,
    rules,
    seed,
    onCall,
    onTake: ({name, fault}: Rule, {method}: MatchedCall) => hears.took({at: clock.now(), rule: name, fault: fault.kind, method}),
    onSocketFault: (change: SocketFaultChange) => hears.socket({at: clock.now(), ...change}),
    onTrouble: hears.trouble,
    decodeAll: decode,
  }
  if (!('take' in request)) return ownStand({...proxy, listen: request.listen, upstream: request.upstream})
  const {take, forMs, tool, uid, pid, signal} = request
  return takenStand({...take, proxy, forMs, tool, command: 'inject', uid, pid, signal, hears})
}

function isDirty(error: unknown): boolean {
  if (error instanceof Error && error.name === 'SuppressedError' && 'error' in error) return isDirty(error.error)
  return error instanceof UserError && error.exit === exitCodes.dirty
}

/** @throws the signal's reason */
async function untilOver({clock, forMs, signal}: InjectRequest, {over, since}: Stand): Promise<WhyEnded> {
  const done = new AbortController()
  const expired = clock
    .sleep(since.steady + forMs - steadyNow(clock), AbortSignal.any([signal, done.signal]))
    .then(() => 'expired' as const)
  try {
    return await Promise.race([expired, over])
  } finally {
    done.abort()
    expired.catch(() => undefined)
  }
}
