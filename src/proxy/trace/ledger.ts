// Who spent the deadlines of the calls, and what servers did that no client heard of.
import type {TracedCall} from '../call/traced-call.ts'

export interface Ledger {
  readonly spenders: readonly Spender[]
  readonly lateSuccesses: readonly LateSuccess[]
  /** Late successes beyond those that are kept. */
  readonly more: number
}

/** The calls of one method. Milliseconds. */
export interface Spender {
  readonly service: string
  readonly method: string
  readonly calls: number
  /** That did not end with OK. */
  readonly failed: number
  /** What clients waited, together. */
  readonly spentMs: number
  /** What of it passed with calls that a rule had, the server's part apart. */
  readonly faultMs: number
  /** What of it passed until the server had answered: how long the answer is on its way is a fault's, where a rule had the call. */
  readonly serverMs: number
  /** What of it passed without an answer, and without a rule. */
  readonly waitingMs: number
  /** Their deadlines, of those calls that had one. */
  readonly allowedMs: number
}

/** The server did it, and the client does not know. */
export interface LateSuccess {
  readonly id: number
  readonly at: number
  readonly method: string
  /** What it was about: a claim, a volume, a container, a pod. */
  readonly about?: string
  /** What the client got. */
  readonly code: string
  /** How long after the client had gone the server was done; below 0: before that, and the answer was lost. */
  readonly lateMs: number
  readonly owed?: string
  readonly rule?: string
}

const mostLate = 1000

export interface LedgerBook {
  add(call: TracedCall): void
  ledger(): Ledger
}

export function ledgerBook(): LedgerBook {
  const spenders = new Map<string, Spender>()
  const lateSuccesses: LateSuccess[] = []
  let more = 0
  return {
    add: (call) => {
      const key = `${call.service}/${call.method}`
      spenders.set(
        key,
        call.update ? corrected(spenders.get(key) ?? noneOf(call), call) : withCall(spenders.get(key) ?? noneOf(call), call),
      )
      // What is said once more has been told.
      const late = call.update && call.upstream?.late !== true ? undefined : lateSuccessOf(call)
      if (late === undefined) return
      if (lateSuccesses.length < mostLate) lateSuccesses.push(late)
      else more++
    },
    ledger: () => ({spenders: [...spenders.values()].sort((a, b) => b.spentMs - a.spentMs), lateSuccesses: [...lateSuccesses], more}),
  }
}

function lateSuccessOf(call: TracedCall): LateSuccess | undefined {
  const {id, at, method, code, upstream, durationMs, owed, rule} = call
  if (upstream?.code !== 'OK' || code === 'OK') return undefined
  const about = call.pvc ?? call.volume ?? call.container ?? call.pod ?? call.podUid
  return {
    id,
    at,
    method,
    ...(about === undefined ? {} : {about}),
    code,
    lateMs: upstream.durationMs - durationMs,
    ...(owed === undefined ? {} : {owed}),
    ...(rule === undefined ? {} : {rule}),
  }
}

const noneOf = ({service, method}: TracedCall): Spender => ({
  service,
  method,
  calls: 0,
  failed: 0,
  spentMs: 0,
  faultMs: 0,
  serverMs: 0,
  waitingMs: 0,
  allowedMs: 0,
})

function withCall(before: Spender, call: TracedCall): Spender {
  const {code, durationMs, timeoutMs = 0} = call
  const {fault, server, waiting} = shares(call)
  return {
    ...before,
    calls: before.calls + 1,
    failed: before.failed + (code === 'OK' ? 0 : 1),
    spentMs: before.spentMs + durationMs,
    faultMs: before.faultMs + fault,
    serverMs: before.serverMs + server,
    waitingMs: before.waitingMs + waiting,
    allowedMs: before.allowedMs + timeoutMs,
  }
}

/** What the server did late was not known when the client's part was over. */
function corrected(before: Spender, call: TracedCall): Spender {
  if (call.upstream?.late !== true) return before
  const {upstream, ...then} = call
  const [was, is] = [shares(then), shares(call)]
  return {
    ...before,
    faultMs: before.faultMs - was.fault + is.fault,
    serverMs: before.serverMs - was.server + is.server,
    waitingMs: before.waitingMs - was.waiting + is.waiting,
  }
}

const unanswered: ReadonlySet<string> = new Set(['DEADLINE_EXCEEDED', 'CANCELLED'])

/** Together they are the call's duration. */
function shares({
  code,
  durationMs,
  serverMs = 0,
  upstream,
  rule,
}: Pick<TracedCall, 'code' | 'durationMs' | 'serverMs' | 'upstream' | 'rule'>): {
  fault: number
  server: number
  waiting: number
} {
  const server = Math.min(upstream?.durationMs ?? (rule === undefined && !unanswered.has(code) ? durationMs : serverMs), durationMs)
  const rest = durationMs - server
  return rule === undefined ? {fault: 0, server, waiting: rest} : {fault: rest, server, waiting: 0}
}
