// What becomes of one call, gathered for its event.
import type {Clock} from '../../../base/clock.ts'
import type {MatchedCall} from '../../../faults/rule.ts'
import {fieldValue, type HeaderField} from '../../../http2/header-field.ts'
import {parseGrpcTimeout} from '../../../wire/grpc-timeout.ts'
import type {CalledMethod} from '../call-head.ts'
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
  readonly underWay: UnderWay
}

/** A client's clock and ours need not agree: who leaves that long before the deadline leaves because of it. */
const slackMs = 50

export class CallRecord {
  requestBytes = 0
  responseBytes = 0
  /** As far as its request was read. */
  matched: MatchedCall | undefined
  rule: string | undefined
  fault: string | undefined
  /** The server got the call. */
  reached = false
  /** What the server answered is what the client got. */
  heard = false
  readonly #options: CallRecordOptions
  readonly #at: number
  readonly #timeoutMs: number | undefined
  readonly #ends = new Map<'upstream' | 'duplicate', UpstreamPart>()
  #pending = 0
  #skipped: string | undefined
  #client: {readonly code: string; readonly message: string; readonly durationMs: number} | undefined

  constructor(options: CallRecordOptions) {
    this.#options = options
    this.#at = options.clock.now()
    const timeout = parseGrpcTimeout(fieldValue(options.fields, 'grpc-timeout') ?? '')
    options.underWay.clients++
    this.#timeoutMs = Number.isNaN(timeout) ? undefined : timeout
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
    this.#client = {code, message, durationMs: this.#options.clock.now() - this.#at}
    this.#emit()
  }

  /** @param connectionEnded with the stream, and not the stream alone */
  clientLeft(connectionEnded: boolean): void {
    const timeoutMs = this.#timeoutMs ?? Number.POSITIVE_INFINITY
    const inTime = this.#options.clock.now() - this.#at < timeoutMs - Math.min(slackMs, timeoutMs / 2)
    this.clientDone(connectionEnded ? 'UNAVAILABLE' : inTime ? 'CANCELLED' : 'DEADLINE_EXCEEDED')
  }

  /** The server has been given the call. @returns to be told how that ended; without a code nobody knows */
  began(what: 'upstream' | 'duplicate'): (code: string | undefined) => void {
    const from = this.#options.clock.now()
    const {underWay} = this.#options
    this.#pending++
    underWay.server++
    return (code) => {
      this.#pending--
      underWay.server--
      const late = this.clientIsDone
      if (code !== undefined) this.#ends.set(what, {code, durationMs: this.#options.clock.now() - from, late})
      if (late && this.#pending === 0 && [...this.#ends.values()].some((end) => end.late)) this.#emit(true)
    }
  }

  #emit(update = false): void {
    const {id, connection, called, onCall} = this.#options
    if (onCall === undefined || this.#client === undefined) return
    const {code, message, durationMs} = this.#client
    const upstream = this.heard ? undefined : this.#ends.get('upstream')
    const duplicate = this.#ends.get('duplicate')
    const {matched, rule, fault} = this
    const serverCodes = [this.heard && this.reached ? code : upstream?.code, duplicate?.code]
    const owed = owedAfter(called, this.reached, serverCodes)
    const failure = errorClassOf(called, code)
    onCall({
      id,
      ...(update ? {update} : {}),
      connection,
      at: this.#at,
      service: called.service,
      method: called.method,
      ...(this.#timeoutMs === undefined ? {} : {timeoutMs: this.#timeoutMs}),
      durationMs,
      code,
      ...(message === '' ? {} : {message: shownText(message)}),
      requestBytes: this.requestBytes,
      responseBytes: this.responseBytes,
      ...(rule === undefined ? {} : {rule}),
      ...(fault === undefined ? {} : {fault}),
      ...(this.#skipped === undefined ? {} : {skipped: this.#skipped}),
      ...(failure === undefined ? {} : {class: failure}),
      ...(owed === undefined ? {} : {owed}),
      ...(upstream === undefined ? {} : {upstream}),
      ...(duplicate === undefined ? {} : {duplicate}),
      ...(matched === undefined ? {} : shownRequest(matched)),
    })
  }
}
