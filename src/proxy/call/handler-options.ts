// What the calls of one connection are handled with.
import type {Clock} from '../../base/clock.ts'
import type {ClientConnection} from '../../http2/client-connection.ts'
import type {CallBook} from './call-book.ts'
import type {KeepMessages} from './called-messages.ts'
import type {NameIndex} from './names/name-index.ts'
import type {TracedCall} from './traced-call.ts'
import type {UnderWay} from './under-way.ts'

export interface CallHandlerOptions {
  readonly book: CallBook
  readonly clock: Clock
  /** A connection of its own to the server, for duplicates. */
  readonly dial: () => Promise<ClientConnection>
  /** Of all connections together. */
  readonly names: NameIndex
  readonly onCall?: ((call: TracedCall) => void) | undefined
  /** For a recording; of all connections together. */
  readonly keep?: KeepMessages | undefined
  /** Of all connections together. */
  readonly underWay: UnderWay
  /** Counts the client's connections. */
  readonly connection: number
  /** Counts the calls of all connections, from 1. */
  readonly nextId: () => number
  /** Requests are decoded where no rule asks for it. */
  readonly decodeAll: boolean
  /** Aborted when all faults are over for good: calls that are held wait no longer. */
  readonly healed: AbortSignal
  /** Aborted when the proxy ends: what outlived its client ends then, too. */
  readonly signal: AbortSignal
}
