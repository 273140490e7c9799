// Frames as values (RFC 9113, 6). Of a block of header fields they have only the bytes: header-blocks.ts joins them, hpack-decoder.ts reads them.

export const frameTypes = {
  DATA: 0x0,
  HEADERS: 0x1,
  PRIORITY: 0x2,
  RST_STREAM: 0x3,
  SETTINGS: 0x4,
  PUSH_PROMISE: 0x5,
  PING: 0x6,
  GOAWAY: 0x7,
  WINDOW_UPDATE: 0x8,
  CONTINUATION: 0x9,
} as const

export const flags = {ACK: 0x1, END_STREAM: 0x1, END_HEADERS: 0x4, PADDED: 0x8, PRIORITY: 0x20} as const

export const frameHeaderBytes = 9

/** What each side takes at least, and until its SETTINGS say otherwise. */
export const smallestMaxFrameSize = 16_384

export interface Priority {
  readonly exclusive: boolean
  readonly dependsOn: number
  /** 0 to 255, as on the wire. */
  readonly weight: number
}

export interface DataFrame {
  readonly type: 'DATA'
  readonly streamId: number
  readonly endStream: boolean
  readonly data: Uint8Array
  /** Bytes of padding. Absent: no PADDED flag, which 0 has. */
  readonly padding?: number
}

export interface HeadersFrame {
  readonly type: 'HEADERS'
  readonly streamId: number
  readonly endStream: boolean
  readonly endHeaders: boolean
  readonly fragment: Uint8Array
  readonly priority?: Priority
  readonly padding?: number
}

export interface PushPromiseFrame {
  readonly type: 'PUSH_PROMISE'
  readonly streamId: number
  readonly promisedId: number
  readonly endHeaders: boolean
  readonly fragment: Uint8Array
  readonly padding?: number
}

export interface ContinuationFrame {
  readonly type: 'CONTINUATION'
  readonly streamId: number
  readonly endHeaders: boolean
  readonly fragment: Uint8Array
}

export interface SettingsFrame {
  readonly type: 'SETTINGS'
  readonly ack: boolean
  /** Identifiers and values in their order, unknown ones too. */
  readonly values: readonly (readonly [id: number, value: number])[]
}

export type Frame =
  | DataFrame
  | HeadersFrame
  | {readonly type: 'PRIORITY'; readonly streamId: number; readonly priority: Priority}
  | {readonly type: 'RST_STREAM'; readonly streamId: number; readonly code: number}
  | SettingsFrame
  | PushPromiseFrame
  | {readonly type: 'PING'; readonly ack: boolean; readonly data: Uint8Array}
  | {readonly type: 'GOAWAY'; readonly lastStreamId: number; readonly code: number; readonly debug: Uint8Array}
  /** Of the connection when the stream is 0. */
  | {readonly type: 'WINDOW_UPDATE'; readonly streamId: number; readonly increment: number}
  | ContinuationFrame
  | {readonly type: 'UNKNOWN'; readonly kind: number; readonly flags: number; readonly streamId: number; readonly payload: Uint8Array}

/** What a DATA frame takes of the windows: padding and the octet of its length count, too (RFC 9113, 6.9.1). */
export function flowLength({data, padding}: DataFrame): number {
  return data.length + (padding === undefined ? 0 : padding + 1)
}
