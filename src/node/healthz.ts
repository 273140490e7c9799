// The kubelet's own word on its health.

export interface Healthz {
  /** The status was 200. */
  readonly ok: boolean
  /** The body: 'ok', or a line a check with [+] or [-]. */
  readonly text: string
}
