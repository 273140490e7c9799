// What happened and when: what a watcher of the whole node would have seen. Plain data; moments are milliseconds since 1970.

export type Event = CallEvent | ObjectEvent | ContainerEvent | DiskEvent | LogEvent | BeliefEvent | StepEvent

/** Who a call goes to. */
export type Service = 'api' | 'cri' | 'csi'

export interface CallEvent {
  readonly kind: 'call'
  /** When the caller made it. */
  readonly at: number
  /** Counts the calls of the run. */
  readonly id: number
  readonly to: Service
  /** As the service names it: 'StopPodSandbox', 'NodeStageVolume'; of the API server 'GET pod', 'PATCH pod/status', 'DELETE pod'. */
  readonly method: string
  /** 'namespace/name' of the pod that it is about, where the request tells. */
  readonly pod?: string
  readonly container?: string
  /** What else of the request is worth showing and matching, such as {timeout: 10}. */
  readonly request: Readonly<Record<string, unknown>>
  /** What the caller got: 'OK', a gRPC code or an HTTP reason such as 'NotFound'; absent while it waits. Set once, when the call ends. */
  outcome?: string
  endedAt?: number
  /** The name of the rule that had a part in it. */
  fault?: string
}

/** What a watcher of pods in the API sees. */
export interface ObjectEvent {
  readonly kind: 'object'
  readonly at: number
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly pod: string
  readonly uid: string
  /** The object as it is then, as a reader may keep it. */
  readonly object: object
}

/** What the runtime did or recorded. */
export interface ContainerEvent {
  readonly kind: 'container'
  readonly at: number
  readonly what: 'created' | 'started' | 'start-failed' | 'exited' | 'removed'
  readonly pod: string
  readonly uid: string
  /** Absent for the sandbox. */
  readonly container?: string
  readonly id: string
  readonly exitCode?: number
  readonly reason?: string
}

/** What became of a path of the node's disk: of a directory and all in it or above it one event. */
export interface DiskEvent {
  readonly kind: 'disk'
  readonly at: number
  readonly what: 'made' | 'removed' | 'mounted' | 'unmounted'
  /** Absolute. */
  readonly path: string
  readonly entry: 'directory' | 'file' | 'symlink' | 'device'
}

/** What the kubelet says of itself: the words that it logs. */
export interface LogEvent {
  readonly kind: 'log'
  readonly at: number
  /** The key text, as one would grep for it, such as 'Status update on pod aborted'. */
  readonly text: string
  readonly pod?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

/** What the kubelet has come to believe of a volume; it logs no line for it. */
export interface BeliefEvent {
  readonly kind: 'belief'
  readonly at: number
  /** The name of the persistent volume, or of an inline volume in its pod. */
  readonly volume: string
  /** The kubelet's, with the driver and the handle. */
  readonly uniqueName: string
  /** Of the device: 'DeviceMountUncertain'; of a pod's mount: 'VolumeMounted'. */
  readonly state: string
  /** Of a mount, where it is known. */
  readonly pod?: string
}

/** What was done from outside, in the scenario's words. */
export interface StepEvent {
  readonly kind: 'step'
  readonly at: number
  readonly text: string
}
