// What the sockets of CSI drivers and of their registrations say.

/** `answers`: it speaks gRPC and knows the service. */
export type SocketAnswer =
  | {readonly state: 'answers'}
  | {
      readonly state: 'missing' | 'refused' | 'denied' | 'not-socket' | 'not-grpc' | 'other-service' | 'failed'
      readonly why: string
    }
  | {
      readonly state: 'silent'
      readonly why: string
      /** How long an answer was waited for; bundles of old have it in words only. */
      readonly waitedMs?: number
    }

/** A socket in plugins_registry, asked with GetInfo and never told anything. */
export interface Registration {
  /** Absolute, on the host. */
  readonly socket: string
  readonly answer: SocketAnswer
  /** 'CSIPlugin', 'DevicePlugin' …; absent when there was no answer, as all below. */
  readonly type?: string
  /** The driver's name. */
  readonly name?: string
  /** The driver's own socket, absolute, on the host. */
  readonly endpoint?: string
  readonly versions?: readonly string[]
}

/** A driver's own socket: Identity and Node calls that change nothing. */
export interface DriverSocket {
  /** Absolute, on the host. */
  readonly socket: string
  readonly answer: SocketAnswer
  readonly name?: string
  readonly version?: string
  /** What Probe said; absent when it left it out, which means ready. */
  readonly ready?: boolean
  /** Of the node service: 'STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS' …; a number we do not know is its decimal text. */
  readonly capabilities?: readonly string[]
  readonly nodeId?: string
}
