// One line of the kubelet's log.

export interface KubeletLogLine {
  /** Milliseconds since 1970; absent when the line has no header of klog's. klog writes no year and no zone: the year nearest to the capture, the node's zone. */
  readonly at?: number
  readonly severity: 'info' | 'warning' | 'error' | 'fatal'
  /** Such as 'csi_client.go:397'. */
  readonly source: string
  /** The message, unquoted where it was quoted. */
  readonly message: string
  /** The key="value" pairs after a structured message, unquoted. */
  readonly fields: Readonly<Record<string, string>>
}
