// What an injector tells of itself while it runs.
import type {TracedCall} from '../call/traced-call.ts'
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

/** Hears what happens as it happens. */
export interface InjectHears {
  started(started: InjectStarted): void
  /** A rule has a call from now on. */
  took(taken: TakenByRule): void
  /** What came of it for the client, and, once more, for the server. */
  fault(call: TracedCall): void
  trouble(text: string): void
  /** It is healed: there are no rules, no socket and no connections any more. */
  ended(why: 'expired' | 'stopped'): void
}
