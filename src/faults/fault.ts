// What can be done to a call, or to the socket that calls come by. One file each beside this one.
import type {Plan} from './plan.ts'

export interface Fault {
  /** The name that it was asked for by: 'lose-reply', or 'hang-after-exec'. */
  readonly kind: string
  readonly plan: Plan
  /** Up to so many milliseconds more, at random, of each wait of the plan. */
  readonly jitter?: number
  /** Present: the fault is the socket's, for as long as the rule is in force, and no call is looked at. */
  readonly socket?: SocketFault
  /** It works only where the proxy has a socket of its own that clients are told of, not on one that it took over. */
  readonly onlyWith?: 'listen'
}

/**
 * refuse: nobody listens, the file is there (ECONNREFUSED). no-socket: there is no file (ENOENT). accept-silent: connections are taken, and nothing
 * is ever sent.
 */
export type SocketFault = 'refuse' | 'no-socket' | 'accept-silent'
