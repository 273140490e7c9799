// What a connection is told: its limits, and what differs between a server and a client.
import type {Fault} from './fault.ts'
import type {DecodedFields} from './hpack-decoder.ts'
import type {Settings} from './settings.ts'

export interface ConnectionOptions {
  /** Of each stream; default 256 KiB. */
  readonly streamWindow?: number
  /** Of all streams together; default 4 MiB, never below 65,535. */
  readonly connectionWindow?: number
  /** Of one list, decoded; default 64 KiB. */
  readonly maxHeaderListSize?: number
  /** Bytes of answers that may wait for a peer that does not read; default 1 MiB. */
  readonly maxOwed?: number
  /** Default: no. */
  readonly huffman?: boolean
}

export const defaultOptions: Required<ConnectionOptions> = {
  streamWindow: 256 * 1024,
  connectionWindow: 4 * 1024 * 1024,
  maxHeaderListSize: 64 * 1024,
  maxOwed: 1024 * 1024,
  huffman: false,
}

/** How it ended. */
export interface ConnectionEnding {
  readonly by: 'us' | 'peer'
  readonly code: number
  readonly reason: string
}

/** What differs between server and client. */
export interface ConnectionRole {
  readonly side: 'server' | 'client'
  /** Beside what all say. */
  readonly settings: Partial<Settings>
  /** Of a stream that is not open and was not reset by us a moment ago. */
  readonly headersOfUnknown: (streamId: number, headers: DecodedFields, endStream: boolean) => Fault | undefined
  /** Nobody has used that stream yet. */
  readonly isIdle: (streamId: number) => boolean
  readonly goaway: (lastStreamId: number, code: number) => void
  readonly settingsCame: (settings: Settings) => void
  readonly streamClosed: () => void
  /** The last stream of the peer that we took, for our GOAWAY. */
  readonly lastPeerStream: () => number
}
