// What each side says of itself (RFC 9113, 6.5).
import {type ConnectionFault, connectionFault} from './fault.ts'
import {initialWindow, largestWindow} from './flow-window.ts'
import type {SettingsFrame} from './frame.ts'
import {smallestMaxFrameSize} from './frame.ts'

export interface Settings {
  readonly headerTableSize: number
  readonly enablePush: boolean
  readonly maxConcurrentStreams: number
  readonly initialWindowSize: number
  readonly maxFrameSize: number
  readonly maxHeaderListSize: number
}

/** Until a side has said anything. */
export const initialSettings: Settings = {
  headerTableSize: 4096,
  enablePush: true,
  maxConcurrentStreams: Number.POSITIVE_INFINITY,
  initialWindowSize: initialWindow,
  maxFrameSize: smallestMaxFrameSize,
  maxHeaderListSize: Number.POSITIVE_INFINITY,
}

const ids = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const satisfies Record<keyof Settings, number>

export function settingsFrame(settings: Partial<Settings>): SettingsFrame {
  const values: [number, number][] = []
  for (const [name, id] of Object.entries(ids)) {
    const value = settings[name as keyof Settings]
    if (value !== undefined && value !== Number.POSITIVE_INFINITY) values.push([id, Number(value)])
  }
  return {type: 'SETTINGS', ack: false, values}
}

/** The settings after that frame; what is unknown is passed over. */
export function applySettings(settings: Settings, {values}: SettingsFrame): Settings | ConnectionFault {
  const next: {-readonly [Name in keyof Settings]: Settings[Name]} = {...settings}
  for (const [id, value] of values) {
    switch (id) {
      case ids.headerTableSize:
        next.headerTableSize = value
        break
      case ids.enablePush:
        if (value > 1) return connectionFault('PROTOCOL_ERROR', `SETTINGS_ENABLE_PUSH is ${value}`)
        next.enablePush = value === 1
        break
      case ids.maxConcurrentStreams:
        next.maxConcurrentStreams = value
        break
      case ids.initialWindowSize:
        if (value > largestWindow) return connectionFault('FLOW_CONTROL_ERROR', `SETTINGS_INITIAL_WINDOW_SIZE is ${value}`)
        next.initialWindowSize = value
        break
      case ids.maxFrameSize:
        if (value < smallestMaxFrameSize || value >= 2 ** 24)
          return connectionFault('PROTOCOL_ERROR', `SETTINGS_MAX_FRAME_SIZE is ${value}`)
        next.maxFrameSize = value
        break
      case ids.maxHeaderListSize:
        next.maxHeaderListSize = value
        break
    }
  }
  return next
}
