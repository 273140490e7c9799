// A port to a server in memory, with faults on the way: the first of the two that carry out plans.
//
// A deadline is the caller's: it has DEADLINE_EXCEEDED then, and the server sees it gone, as gRPC has it, unless the plan strips the deadline. What a server
// makes of that is its own affair: the runtime heeds it, the API server carries on.
import type {Clock} from '../../base/clock.ts'
import {onAbort} from '../../base/on-abort.ts'
import {applyEdits} from '../../faults/apply-edits.ts'
import type {Plan} from '../../faults/plan.ts'
import {CallFailure, type CallOptions, type Methods, type Port} from '../../kubelet/port.ts'
import type {CallEvent} from '../../timeline/event.ts'
import type {Timeline} from '../../timeline/timeline.ts'
import type {Paired} from './between-calls.ts'
import type {Deadlines} from './deadlines.ts'
import type {PortCall} from './port-call.ts'
import type {RuleBook} from './rule-book.ts'
import {PortCaller, type Server} from './server.ts'

export interface PortOptions {
  readonly clock: Clock
  readonly timeline: Timeline
  readonly rules: RuleBook
  readonly deadlines: Deadlines
  /** The call as rules and people see it. */
  readonly describe: (method: string, request: object) => PortCall
  /** What the server would answer, had it done it, by the method. */
  readonly asIfDone?: ReadonlyMap<string, (request: object) => unknown>
}

export function faultyPort<M extends Methods>(server: Server<M>, options: PortOptions): Port<M> {
  const handlers = server as Readonly<Record<string, Handler | undefined>>
  return {
    call: (method, request, callOptions) =>
      new Promise((resolve, reject) => {
        if (callOptions.signal?.aborted) return reject(leftBy(callOptions.signal))
        const told = options.describe(method, request)
        const event = options.timeline.call(told)
        const {plan, rule} = options.rules.decide(told)
        if (rule !== undefined) event.fault = rule.name
        const timeoutMs = plan.upstreamDeadline === 'keep' ? callOptions.timeoutMs : Number.POSITIVE_INFINITY
        const {between} = options.rules
        const pair = rule !== undefined && plan.reply.kind === 'swap' ? between.pair(rule.name) : undefined
        const call = new OpenCall(event, plan, options.clock, new PortCaller(timeoutMs), pair, resolve, reject)
        call.limit(callOptions, options.deadlines)
        const sent = plan.request === undefined ? request : (applyEdits(request, plan.request).message as object)
        const serve = async (caller: PortCaller) => {
          const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
          if (handler === undefined) throw new CallFailure('UNIMPLEMENTED', `unknown method ${method}`)
          return handler(sent, caller)
        }
        /** The server gets it as a call of its own. */
        const serveAgain = (caller: PortCaller) => {
          const again = options.timeline.call({...told, ...(rule === undefined ? {} : {fault: rule.name})})
          const end = (outcome: string) => Object.assign(again, {outcome, endedAt: options.clock.now()})
          serve(caller).then(
            () => end('OK'),
            (error) => {
              if (!(error instanceof CallFailure)) throw error
              end(error.code)
            },
          )
        }
        void call.carryOut({
          serve,
          serveAgain,
          asIfDone: () => options.asIfDone?.get(method)?.(request),
          lastAnswer: (answer) => between.lastAnswer(rule?.name ?? '', JSON.stringify(told), answer),
        })
      }),
  }
}

type Handler = (request: object, caller: PortCaller) => unknown

/** What a call's plan may need. */
interface Means {
  readonly serve: (caller: PortCaller) => Promise<unknown>
  /** For a second time: its answer is nobody's. */
  readonly serveAgain: (caller: PortCaller) => void
  readonly asIfDone: () => unknown
  /** Of the same request; the present one is remembered. */
  readonly lastAnswer: (answer: unknown) => unknown
}

/** Whoever knows better says why: by a socket a deadline ends as any other leave. */
const leftBy = ({reason}: AbortSignal) => (reason instanceof CallFailure ? reason : new CallFailure('CANCELLED', 'context canceled'))

class OpenCall {
  open = true
  readonly #caller: PortCaller
  readonly #pair: Paired | undefined
  #stay: (() => void) | undefined
  #isHeard = false
  readonly event: CallEvent
  readonly plan: Plan
  readonly clock: Clock
  readonly resolve: (response: unknown) => void
  readonly reject: (error: unknown) => void

  constructor(
    event: CallEvent,
    plan: Plan,
    clock: Clock,
    caller: PortCaller,
    pair: Paired | undefined,
    resolve: (response: never) => void,
    reject: (error: unknown) => void,
  ) {
    this.#caller = caller
    this.#pair = pair
    this.event = event
    this.plan = plan
    this.clock = clock
    this.resolve = resolve as (response: unknown) => void
    this.reject = reject
  }

  limit({timeoutMs, signal}: CallOptions, deadlines: Deadlines): void {
    deadlines.add(timeoutMs, this)
    if (signal !== undefined) this.#stay = onAbort(signal, () => this.#giveUp(leftBy(signal)))
  }

  expire(): void {
    this.#giveUp(new CallFailure('DEADLINE_EXCEEDED', 'context deadline exceeded'))
  }

  async carryOut({serve, serveAgain, asIfDone, lastAnswer}: Means): Promise<void> {
    const {before, forward, reply} = this.plan
    if (before === Number.POSITIVE_INFINITY) return
    if (before > 0) await this.clock.sleep(before)
    // A caller that gave up meanwhile has taken the call back.
    if (this.#caller.gone) return
    this.#isHeard = true
    try {
      // Both run at once.
      const first = forward === 0 ? undefined : serve(this.#caller)
      if (forward === 2) serveAgain(this.#caller)
      if (reply.kind === 'pass') return this.#succeed(await first)
      await first?.catch(() => {})
      if (reply.kind === 'hold') {
        if (reply.ms === Number.POSITIVE_INFINITY) return
        await this.clock.sleep(reply.ms)
        this.#succeed(await first)
      } else if (reply.kind === 'reset') this.#refuse(new CallFailure('UNAVAILABLE', 'connection reset by peer'))
      else if (reply.kind === 'replace') {
        if ('code' in reply.with) this.#refuse(new CallFailure(reply.with.code, reply.with.message))
        else this.#succeed('asIfDone' in reply.with ? asIfDone() : reply.with.response)
      } else {
        await this.#pair?.otherAnswered
        const answer = await first
        if (reply.kind === 'edit') this.#succeed(applyEdits(answer, reply.edits).message)
        else this.#succeed(reply.kind === 'stale' ? lastAnswer(answer) : answer)
      }
    } catch (error) {
      // Anything else is our own bug, and no answer that a kubelet should have to live with.
      if (!(error instanceof CallFailure)) throw error
      this.#refuse(error)
    }
  }

  #giveUp(failure: CallFailure): void {
    if (!this.open) return
    this.#refuse(failure)
    if (this.plan.upstreamDeadline === 'keep' || !this.#isHeard) this.#caller.leave(failure)
  }

  #succeed(response: unknown): void {
    if (!this.open) return
    this.#end('OK')
    this.resolve(response)
  }

  #refuse(failure: CallFailure): void {
    if (!this.open) return
    this.#end(failure.code)
    this.reject(failure)
  }

  #end(outcome: string): void {
    this.open = false
    this.#stay?.()
    this.#pair?.ended()
    this.event.outcome = outcome
    this.event.endedAt = this.clock.now()
  }
}
