// A pod as the kubelet's /pods or the API server gives it: only what we look at, whatever shape it came in.

export interface Pod {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  /** Milliseconds since 1970. Static pods have none at the kubelet. */
  readonly createdAt?: number
  /** deletionTimestamp, in milliseconds since 1970. It already includes the grace period. */
  readonly deletedAt?: number
  readonly finalizers: readonly string[]
  /** 'api', 'file' or 'http': where the kubelet has it from. */
  readonly configSource?: string
  readonly phase?: string
  readonly reason?: string
  readonly restartPolicy?: string
  readonly volumes: readonly PodVolume[]
  readonly containers: readonly ContainerState[]
}

export interface PodVolume {
  readonly name: string
  /** The key of its source: 'persistentVolumeClaim', 'csi', 'configMap' … */
  readonly kind: string
  /** Of a persistentVolumeClaim. */
  readonly claim?: string
  /** Of an inline csi volume. */
  readonly driver?: string
}

export interface ContainerState {
  readonly name: string
  readonly state: 'waiting' | 'running' | 'terminated' | 'unknown'
  readonly reason?: string
  readonly exitCode?: number
  readonly containerId?: string
  readonly startedAt?: number
  readonly finishedAt?: number
}
