// What becomes of one call, gathered for its event.
import {type Clock, steadyNow} from '../../../base/clock.ts'
import type {MatchedCall, Rule} from '../../../faults/rule.ts'
import {fieldValue, type HeaderField} from '../../../http2/header-field.ts'
import {parseGrpcTimeout} from '../../../wire/grpc-timeout.ts'
import type {CalledMethod} from '../call-head.ts'
import type {MessagesKept} from '../called-messages.ts'
import type {TracedCall, UpstreamPart} from '../traced-call.ts'
import type {UnderWay} from '../under-way.ts'
import {errorClassOf, owedAfter} from './consequences.ts'
import {shownRequest} from './shown-request.ts'
import {shownText} from './shown-text.ts'

export interface CallRecordOptions {
  readonly id: number
  readonly connection: number
  readonly called: CalledMethod
  readonly fields: readonly HeaderField[]
  readonly clock: Clock
  readonly onCall: ((call: TracedCall) => void) | undefined
  /** Where somebody records calls. */
  readonly messages: MessagesKept | undefined
  readonly underWay: UnderWay
}

/** A client's clock and ours need not agree: who leaves that long before the deadline leaves because of it. */
const slackMs = 50

/** Whoever makes up a path may make up megabytes. */
const longestName = 500

export class CallRecord {
  /** As far as its request was read. */
  matched: MatchedCall | undefined
  /** The server got the call. */
  reached = false
  /** What the server answered is what the client got. */
  heard = false
  readonly #options: CallRecordOptions
  #requestBytes = 0
  #responseBytes = 0
  readonly #at: number
  /** The same moment, for what is to be measured. */
  readonly #began: number
  readonly #timeoutMs: number | undefined
  readonly #ends = new Map<'upstream' | 'duplicate', UpstreamPart>()
  #pending = 0
  #rule: Rule | undefined
  #skipped: string | undefined
  #serverMs = 0
  #client: (Pick<TracedCall, 'code' | 'durationMs' | 'serverMs'> & {readonly message: string}) | undefined

  constructor(options: CallRecordOptions) {
    this.#options = options
    this.#at = options.clock.now()
    this.#began = steadyNow(options.clock)
    const timeout = parseGrpcTimeout(fieldValue(options.fields, 'grpc-timeout') ?? '')
    options.underWay.clients++
    this.#timeoutMs = Number.isNaN(timeout) ? undefined : timeout
  }

  /** A piece of the body as the client sent it. */
  requestData(piece: Uint8Array): void {
    this.#requestBytes += piece.length
    this.#options.messages?.request.push(piece)
  }

  responseHeaders(fields: readonly HeaderField[]): void {
    this.#options.messages?.response.headers(fields)
  }

  /** A piece of the body as the client gets it. */
  responseData(piece: Uint8Array): void {
    this.#responseBytes += piece.length
    this.#options.messages?.response.push(piece)
  }

  takenBy(rule: Rule | undefined): void {
    this.#rule = rule
  }

  /** The first reason stands. */
  skip(reason: string): void {
    this.#skipped ??= reason
  }

  get clientIsDone(): boolean {
    return this.#client !== undefined
  }

  /** The first of these two counts: it has its answer, or it is gone. */
  clientDone(code: string, message = ''): void {
    if (this.#client !== undefined) return
    this.#options.underWay.clients--
    this.#client = {code, message, durationMs: this.#since(this.#began), serverMs: Math.round(this.#serverMs)}
    this.#emit()
  }

  /** It has taken the call back, or has closed its connection, as a program does that ends when its deadline has passed. */
  clientLeft(): void {
    const timeoutMs = this.#timeoutMs ?? Number.POSITIVE_INFINITY
    const inTime = this.#since(this.#began) < timeoutMs - Math.min(slackMs, timeoutMs / 2)
    this.clientDone(inTime ? 'CANCELLED' : 'DEADLINE_EXCEEDED')
  }

  /** The server has been given the call. @returns to be told how that ended; without a code nobody knows */
  began(what: 'upstream' | 'duplicate'): (code: string | undefined) => void {
    const from = steadyNow(this.#options.clock)
    const {underWay} = this.#options
    this.#pending++
    underWay.server++
    return (code) => {
      this.#pending--
      underWay.server--
      const late = this.clientIsDone
      if (code !== undefined) this.#ends.set(what, {code, durationMs: this.#since(from), late})
      if (late && this.#pending === 0 && [...this.#ends.values()].some((end) => end.late)) this.#emit(true)
    }
  }

  /** What passes until then is the server's time. */
  async forServer<T>(wait: Promise<T>): Promise<T> {
    const from = steadyNow(this.#options.clock)
    try {
      return await wait
    } finally {
      this.#serverMs += steadyNow(this.#options.clock) - from
    }
  }

  #since(moment: number): number {
    return Math.round(steadyNow(this.#options.clock) - moment)
  }

  #emit(update = false): void {
    const {id, connection, called, onCall, messages} = this.#options
    if ((onCall ?? messages) === undefined || this.#client === undefined) return
    const {code, message, durationMs, serverMs = 0} = this.#client
    const upstream = this.heard ? undefined : this.#ends.get('upstream')
    const duplicate = this.#ends.get('duplicate')
    const {matched} = this
    const rule = this.#rule
    const serverCodes = [this.heard && this.reached ? code : upstream?.code, duplicate?.code]
    const owed = owedAfter(called, this.reached, serverCodes)
    const failure = errorClassOf(called, code)
    const call: TracedCall = {
      id,
      ...(update ? {update} : {}),
      connection,
      at: this.#at,
      service: called.service.slice(0, longestName),
      method: called.method.slice(0, longestName),
      ...(this.#timeoutMs === undefined ? {} : {timeoutMs: this.#timeoutMs}),
      durationMs,
      ...(serverMs === 0 ? {} : {serverMs}),
      code,
      ...(message === '' ? {} : {message: shownText(message)}),
      requestBytes: this.#requestBytes,
      responseBytes: this.#responseBytes,
      ...(rule === undefined ? {} : {rule: rule.name, fault: rule.fault.kind}),
      ...(this.#skipped === undefined ? {} : {skipped: shownText(this.#skipped)}),
      ...(failure === undefined ? {} : {class: failure}),
      ...(owed === undefined ? {} : {owed}),
      ...(upstream === undefined ? {} : {upstream}),
      ...(duplicate === undefined ? {} : {duplicate}),
      ...(matched === undefined ? {} : shownRequest(matched)),
    }
    onCall?.(call)
    if (!update) messages?.tell(call)
  }
}
