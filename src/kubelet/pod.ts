// A pod as the API server has it: the fields that the model reads and writes. Moments are milliseconds since 1970, as the API has them: whole seconds.

export interface Pod {
  readonly metadata: PodMetadata
  readonly spec: PodSpec
  readonly status: PodStatus
}

export interface PodMetadata {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** Of the whole server: it only grows. */
  readonly resourceVersion: number
  readonly creationTimestamp: number
  /** When the grace ends. */
  readonly deletionTimestamp?: number
  /** Seconds. */
  readonly deletionGracePeriodSeconds?: number
  readonly finalizers?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never'

export interface PodSpec {
  readonly restartPolicy: RestartPolicy
  /** Seconds. */
  readonly terminationGracePeriodSeconds: number
  /** Seconds from the pod's start. */
  readonly activeDeadlineSeconds?: number
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[]
  readonly volumes?: readonly Volume[]
}

/** Only those that a CSI driver serves: a claim's, or inline. */
export type Volume = {readonly name: string} & (
  | {readonly persistentVolumeClaim: {readonly claimName: string}}
  | {readonly csi: {readonly driver: string; readonly fsType?: string; readonly volumeAttributes?: Readonly<Record<string, string>>}}
)

/** A claim that is bound, with what its volume says. */
export interface BoundClaim {
  readonly namespace: string
  readonly name: string
  /** Of the persistent volume: its spec name on disk. */
  readonly volumeName: string
  readonly driver: string
  readonly volumeHandle: string
  readonly volumeMode: 'Filesystem' | 'Block'
  /** Of the persistent volume, too: the kubelet takes the first. */
  readonly accessModes?: readonly ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[]
  readonly fsType?: string
  readonly volumeAttributes?: Readonly<Record<string, string>>
}

export interface Container {
  readonly name: string
  readonly image: string
  readonly imagePullPolicy: 'Always' | 'IfNotPresent' | 'Never'
  readonly command: readonly string[]
  readonly lifecycle?: {readonly postStart?: {readonly exec: {readonly command: readonly string[]}}}
  /** A container with one is ready when its probe says so; the lab says what it says. */
  readonly readinessProbe?: object
  readonly volumeMounts?: readonly {readonly name: string; readonly mountPath: string; readonly readOnly?: boolean}[]
  readonly volumeDevices?: readonly {readonly name: string; readonly devicePath: string}[]
}

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed'

export interface PodStatus {
  readonly phase: PodPhase
  readonly reason?: string
  readonly message?: string
  readonly startTime?: number
  readonly conditions: readonly PodCondition[]
  readonly initContainerStatuses: readonly ContainerStatus[]
  readonly containerStatuses: readonly ContainerStatus[]
}

export interface PodCondition {
  readonly type: 'Initialized' | 'Ready' | 'ContainersReady' | 'PodScheduled' | (string & {})
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly lastTransitionTime?: number
}

export interface ContainerStatus {
  readonly name: string
  readonly image: string
  readonly state: ContainerState
  readonly lastState?: ContainerState
  readonly ready: boolean
  readonly restartCount: number
  /** 'containerd://<id>'; absent while there was none. */
  readonly containerID?: string
}

export type ContainerState = {readonly waiting: Waiting} | {readonly running: Running} | {readonly terminated: Terminated}

export interface Waiting {
  readonly reason?: string
  readonly message?: string
}

export interface Running {
  readonly startedAt: number
}

export interface Terminated {
  readonly exitCode: number
  readonly reason?: string
  readonly message?: string
  /** Absent in an end that the kubelet made up. */
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly containerID?: string
}

/** Upstream: ContainerID.String */
export const containerIdOf = (runtimeName: string, id: string): string => `${runtimeName}://${id}`

/** 'namespace/name', as people and logs have it. */
export const podKey = ({metadata: {namespace, name}}: {readonly metadata: {readonly namespace: string; readonly name: string}}): string =>
  `${namespace}/${name}`
