// The kubelet's process, as far as it tells whether the kubelet should answer.

export interface SeenKubelet {
  readonly pid: number
  /** 'kubelet', 'k3s' … */
  readonly program: string
  /** Milliseconds since 1970. */
  readonly startedAt?: number
  /** It has our network namespace: its ports on the loopback address are ours. Absent when nobody could tell. */
  readonly sameNetwork?: boolean
  /** Its settings were read, so that the ports that we asked are its own. */
  readonly certain: boolean
}
