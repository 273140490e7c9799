// What is wrong with what a peer sent, as a value: RFC 9113 5.4 ends a connection for some faults and one stream for others.

/** RFC 9113, 7. */
export const errorCodes = {
  NO_ERROR: 0x0,
  PROTOCOL_ERROR: 0x1,
  INTERNAL_ERROR: 0x2,
  FLOW_CONTROL_ERROR: 0x3,
  SETTINGS_TIMEOUT: 0x4,
  STREAM_CLOSED: 0x5,
  FRAME_SIZE_ERROR: 0x6,
  REFUSED_STREAM: 0x7,
  CANCEL: 0x8,
  COMPRESSION_ERROR: 0x9,
  CONNECT_ERROR: 0xa,
  ENHANCE_YOUR_CALM: 0xb,
  INADEQUATE_SECURITY: 0xc,
  HTTP_1_1_REQUIRED: 0xd,
} as const

export type ErrorName = keyof typeof errorCodes

export interface ConnectionFault {
  readonly type: 'fault'
  readonly scope: 'connection'
  readonly code: number
  readonly reason: string
}

export interface StreamFault {
  readonly type: 'fault'
  readonly scope: 'stream'
  readonly streamId: number
  readonly code: number
  readonly reason: string
}

export type Fault = ConnectionFault | StreamFault

export function connectionFault(code: ErrorName, reason: string): ConnectionFault {
  return {type: 'fault', scope: 'connection', code: errorCodes[code], reason}
}

export function streamFault(streamId: number, code: ErrorName, reason: string): StreamFault {
  return {type: 'fault', scope: 'stream', streamId, code: errorCodes[code], reason}
}

const names = new Map<number, string>(Object.entries(errorCodes).map(([name, code]) => [code, name]))

/** A code that nobody knows has its number for a name. */
export function errorName(code: number): string {
  return names.get(code) ?? `0x${code.toString(16)}`
}
