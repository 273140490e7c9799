// What an injector tells of itself while it runs.
import type {TracedCall} from '../call/traced-call.ts'
import type {UnderWay} from '../call/under-way.ts'
import type {SocketFaultChange} from '../listen/gate.ts'
import type {InjectorInfo} from './control-routes.ts'
import type {RuleView} from './rule-view.ts'

export interface InjectStarted extends InjectorInfo {
  readonly control: string
  readonly rules: readonly RuleView[]
}

export interface TakenByRule {
  readonly at: number
  readonly rule: string
  readonly fault: string
  readonly method: string
}

export interface SocketFaultAt extends SocketFaultChange {
  readonly at: number
}

/** Hears what happens as it happens. */
export interface InjectHears {
  started(started: InjectStarted): void
  /** A rule has a call from now on. */
  took(taken: TakenByRule): void
  /** What came of it for the client, and, once more, for the server. */
  fault(call: TracedCall): void
  /** A fault of the socket begins, or is over. */
  socket(change: SocketFaultAt): void
  trouble(text: string): void
  /** It is healed: there are no rules, no socket and no connections any more. @param cutOff calls that were under way then */
  ended(why: 'expired' | 'stopped', cutOff: Readonly<UnderWay>): void
}
