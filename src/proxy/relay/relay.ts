// One connection of a client and the connection to the server that belongs to it, frame by frame.
import type {Duplex} from 'node:stream'
import type {HandleCall} from './handling.ts'

export interface RelayOptions {
  readonly client: Duplex
  readonly upstream: Duplex
  readonly handleCall: HandleCall
}

export interface Relay {
  /** Both connections have ended, calls that outlive the client's, too. */
  readonly ended: Promise<RelayEnding>
  /** Ends both. */
  destroy(reason: string): void
}

export interface RelayEnding {
  readonly side: 'client' | 'server' | 'proxy'
  readonly reason: string
}

export declare function relay(options: RelayOptions): Relay
