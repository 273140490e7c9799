// Where an injector stands before a server, and how it leaves that place.
import {type Clock, steadyNow} from '../../base/clock.ts'
import type {UnderWay} from '../call/under-way.ts'
import type {TakenSocket} from '../control/inject-hears.ts'
import type {Proxy as RunningProxy} from '../serve-proxy.ts'
import type {TakeoverEnd} from '../takeover/take-over.ts'

export interface Stand extends AsyncDisposable {
  readonly proxy: RunningProxy
  /** Its time counts from then on: the moment, and that of a clock that nobody sets. */
  readonly since: {readonly now: number; readonly steady: number}
  /** For people, and to be parsed again. */
  readonly upstream: string
  readonly taken?: TakenSocket
  /** Why it is over before its time; it may reject, and on a path of its own it never comes. */
  readonly over: Promise<TakeoverEnd>
  /**
   * New clients reach the server when it resolves, and those that had connected have ended, or had their time.
   * @returns the calls that are cut off now @throws UserError with exit code 4
   */
  leave(): Promise<Readonly<UnderWay>>
}

export const momentOf = (clock: Clock): Stand['since'] => ({now: clock.now(), steady: steadyNow(clock)})
