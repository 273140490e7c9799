// A proxy between a socket that clients find and the socket of a server.
import type {Clock} from '../base/clock.ts'
import type {Rule} from '../faults/rule.ts'
import type {TracedCall} from './call/traced-call.ts'

export interface ProxyOptions {
  /** Paths of unix sockets, '@name' for abstract ones, or 'tcp:127.0.0.1:PORT' (loopback only). */
  readonly listen: string
  readonly upstream: string
  readonly rules: readonly Rule[]
  /** Of the dice of `probability` and `jitter`. */
  readonly seed: number
  readonly clock: Clock
  readonly onCall?: (call: TracedCall) => void
  /** Requests of known services are decoded for names and the trace even where no rule asks for it. Default: no. */
  readonly decodeAll?: boolean
  /** Of the socket's file; default 0o600. */
  readonly mode?: number
}

export interface Proxy extends AsyncDisposable {
  readonly rules: ProxyRules
}

/** The rules in force, which can change at any time. */
export interface ProxyRules {
  list(): readonly RuleStanding[]
  add(rule: Rule): void
  /** False when there is none of that name. */
  remove(name: string): boolean
  clear(): void
  /** While paused no rule has a part in any call. */
  pause(paused: boolean): void
  readonly paused: boolean
}

export interface RuleStanding {
  readonly rule: Rule
  /** Calls that matched, and that it took. */
  readonly seen: number
  readonly taken: number
}

export declare function serveProxy(options: ProxyOptions): Promise<Proxy>
