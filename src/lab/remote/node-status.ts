// What the kubelet says of its node's volumes at the API server. Upstream: kubelet_node_status.go, syncNodeStatus; nodestatus/setters.go, VolumesInUse
//
// The rest of a node's status is not modelled: the node is there.
import {isDeepStrictEqual} from 'node:util'
import type {Clock} from '../../base/clock.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {RestClient} from './rest-client.ts'

export interface NodeStatusOptions {
  readonly client: RestClient
  readonly clock: Clock
  readonly nodeName: string
  /** Unique names, sorted. */
  readonly volumesInUse: () => readonly string[]
  readonly signal: AbortSignal
}

/** nodeStatusUpdateFrequency */
const period = 10_000

/** Tells of what has changed. Returns when the signal is aborted. */
export async function syncNodeStatus({client, clock, nodeName, volumesInUse, signal}: NodeStatusOptions): Promise<void> {
  let told: readonly string[] | undefined
  while (!signal.aborted) {
    const now = volumesInUse()
    if (!isDeepStrictEqual(told, now)) {
      try {
        await client.call({
          method: 'PATCH',
          path: `/api/v1/nodes/${encodeURIComponent(nodeName)}/status`,
          contentType: 'application/strategic-merge-patch+json',
          body: {status: {volumesInUse: now}},
          signal,
        })
        told = now
      } catch (error) {
        // The next time.
        if (!(error instanceof CallFailure)) throw error
      }
    }
    await clock.sleep(period, signal).catch(() => undefined)
  }
}
