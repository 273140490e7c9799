// What a user may say of the node that is looked at, beyond its container runtime. Each of these wins over what is found.

export interface NodeRequest {
  /** --kubelet-root: the kubelet's root directory, as the kubelet sees it. */
  readonly kubeletRoot?: string
  /** --kubelet-url: the kubelet's HTTP server, such as https://127.0.0.1:10250. */
  readonly kubeletUrl?: string
  /** --kubeconfig: credentials for the API server and the kubelet. */
  readonly kubeconfig?: string
  /** --kubelet-log: a file with the kubelet's log. */
  readonly kubeletLog?: string
  /** How far its times are ahead of UTC, in milliseconds; default: as this system's zone is. */
  readonly zoneOffset?: number
  /** --host-root: where the node's root directory is mounted, when we run in a container. */
  readonly hostRoot?: string
  /** --mountinfo: a file that holds the kubelet's mount table. */
  readonly mountinfo?: string
}
