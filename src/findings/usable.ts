// What may be concluded from. Not everything that was read can bear that.

import {known} from '../node/reading.ts'
import type {Snapshot, SourceName} from '../node/snapshot.ts'
import {PodSandboxState} from '../wire/gen/cri_pb.ts'

/** What broke off midway may be shown, but nothing may be concluded from what it lacks. */
export function usable(snapshot: Snapshot, name: SourceName): boolean {
  const reading = snapshot.readings[name]
  if (reading.state !== 'read' || reading.incomplete !== undefined) return false
  return name !== 'kubelet.pods' || sourcesReady(snapshot)
}

/**
 * A kubelet that has just started has an empty list of pods: it says nothing of any pod. An empty list is one only
 * where nothing is ready at the runtime, either.
 */
function sourcesReady(snapshot: Snapshot): boolean {
  const pods = known(snapshot.readings['kubelet.pods'])
  if (pods === undefined || pods.length > 0) return true
  return known(snapshot.readings['runtime.sandboxes'])?.every(({state}) => state !== PodSandboxState.SANDBOX_READY) ?? false
}
