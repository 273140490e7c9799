// Whether the kubelet would list a pod if it were one of its own: its list can be trusted for what it lacks (docs/decisions.md, 27).
import {oncePer} from '../../base/once-per.ts'
import {kubeletUptime} from '../../kubelet/traces/kubelet-uptime.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'

/** From its start to the whole list: it asks its sources at once, and takes up one pod after the other. */
export const listingMs = 120_000

export const kubeletWouldList: (snapshot: Snapshot) => (uid: string) => boolean = oncePer((snapshot) => {
  const pods = known(snapshot.readings['kubelet.pods']) ?? []
  const up = kubeletUptime(snapshot)
  if (up === undefined || up.ms < listingMs) return () => false
  const sources = new Set(pods.map(({configSource}) => (configSource === 'file' || configSource === 'http' ? 'static' : 'api')))
  // Each source delivers all of its pods at once; one that never answered has delivered none.
  return (uid) => sources.has(isStaticUid(uid) ? 'static' : 'api')
})

export function isStaticUid(uid: string): boolean {
  return /^[0-9a-f]{32}$/.test(uid)
}
