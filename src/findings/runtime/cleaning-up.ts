// Whether the kubelet has had the time to clean up what its predecessor left: only then is what is left a fault (docs/decisions.md, 28).
import {formatDuration} from '../../base/duration.ts'
import {oncePer} from '../../base/once-per.ts'
import {kubeletUptime} from '../../kubelet/traces/kubelet-uptime.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Evidence} from '../finding.ts'
import {listingMs} from '../pods/kubelet-would-list.ts'

export const cleaningUp: (snapshot: Snapshot) => {readonly had: boolean; readonly evidence: readonly Evidence[]} = oncePer((snapshot) => {
  const up = kubeletUptime(snapshot)
  if (up === undefined || up.ms < listingMs) return {had: false, evidence: []}
  const fact = `the kubelet has run for ${formatDuration(up.ms)} at least`
  return {had: true, evidence: up.source === undefined ? [] : [{source: up.source, fact}]}
})
