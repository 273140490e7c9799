// What becomes of one call on its way through: it passes frame by frame, or somebody takes it.
import type {ClientStream} from '../../http2/client-connection.ts'
import type {HeaderField} from '../../http2/header-field.ts'
import type {ServerStream} from '../../http2/server-connection.ts'

/** A call as its HEADERS say. */
export interface CallHead {
  /** ':path', '/csi.v1.Node/NodeStageVolume' */
  readonly path: string
  readonly fields: readonly HeaderField[]
  /** Of this connection's calls. */
  readonly streamId: number
}

export type Handling =
  /** Its frames pass as they are; a watcher sees them and holds nothing up. */
  | {readonly kind: 'pass'; readonly watcher?: CallWatcher}
  | {readonly kind: 'take'; readonly take: (call: TakenCall) => void | Promise<void>}

export interface CallWatcher {
  /** Pieces of the body: of gRPC's messages, which may be cut anywhere. */
  readonly requestData?: (bytes: Uint8Array) => void
  readonly responseHeaders?: (fields: readonly HeaderField[]) => void
  readonly responseData?: (bytes: Uint8Array) => void
  readonly ended: (ending: CallEnding) => void
}

export type CallEnding =
  /** Of a trailers-only reply, its only fields. */
  | {readonly kind: 'answered'; readonly trailers: readonly HeaderField[]}
  | {readonly kind: 'reset'; readonly by: 'client' | 'server' | 'proxy'; readonly code: number}
  | {readonly kind: 'lost'; readonly side: 'client' | 'server'; readonly reason: string}

/** Both ends of a call that somebody took. The client's end is a server's stream, each upstream end a client's. */
export interface TakenCall {
  readonly head: CallHead
  readonly client: ServerStream
  /**
   * Sends HEADERS up on this connection's own upstream connection: streams there are numbered in the order of these calls.
   * A stream that `outlives` goes on when the client's stream is reset and when its connection ends; one that still waits for its turn does not.
   * @throws StreamFailure
   */
  readonly open: (fields: readonly HeaderField[], options?: OpenOptions) => Promise<ClientStream>
  /** The client's connection breaks at once, without a word, and with it all its calls. */
  readonly breakConnection: () => void
}

export interface OpenOptions {
  readonly endStream?: boolean
  readonly outlives?: boolean
}

/** Asked at each call's HEADERS. It must not throw. */
export type HandleCall = (head: CallHead) => Handling
