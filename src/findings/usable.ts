// What may be concluded from. Not everything that was read can bear that.

import {known} from '../node/reading.ts'
import type {Snapshot, SourceName} from '../node/snapshot.ts'
import {PodSandboxState} from '../wire/gen/cri_pb.ts'

export function usable(snapshot: Snapshot, name: SourceName): boolean {
  return whyUnusable(snapshot, name) === undefined
}

/** What broke off midway may be shown, but nothing may be concluded from what it lacks. */
export function whyUnusable(snapshot: Snapshot, name: SourceName): string | undefined {
  const reading = snapshot.readings[name]
  if (reading.state !== 'read') return reading.why
  return reading.incomplete ?? (name === 'kubelet.pods' && !sourcesReady(snapshot) ? notReady : undefined)
}

const notReady = 'it lists no pod, as right after the start of the kubelet: no pod can be called gone'

/** An empty list is what a kubelet has that has just started. It is one only where nothing is ready at the runtime, either. */
function sourcesReady(snapshot: Snapshot): boolean {
  const pods = known(snapshot.readings['kubelet.pods'])
  if (pods === undefined || pods.length > 0) return true
  return known(snapshot.readings['runtime.sandboxes'])?.every(({state}) => state !== PodSandboxState.SANDBOX_READY) ?? false
}
