// vol_data.json, by the kubelet's reading rule.

/** One vol_data.json and what the kubelet makes of it. */
export interface VolDataFile {
  /** Below the kubelet's root. */
  readonly path: string
  /** A string map, or why the kubelet cannot read it. */
  readonly data: VolData | {readonly unreadable: string}
}

export interface VolData {
  readonly specVolID?: string
  readonly volumeHandle?: string
  readonly driverName?: string
  readonly nodeName?: string
  readonly attachmentID?: string
  readonly volumeLifecycleMode?: string
}
