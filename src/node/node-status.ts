// What the API server's Node object says of volumes.

export interface NodeStatus {
  readonly name: string
  /** Unique volume names that the kubelet reports as in use. */
  readonly volumesInUse: readonly string[]
  /** Unique volume names that the controller reports as attached. */
  readonly volumesAttached: readonly string[]
  /** Such as 'v1.26.5'. */
  readonly kubeletVersion?: string
}
