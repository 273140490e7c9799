// A kubelet that remembers an uncertain stage forgets it all the same when a later try meets an error that it takes for final, though it comes from before
// the call: then it lets go of the volume without NodeUnstageVolume (kubernetes/kubernetes#135929).

import {agree} from '../../kubelet/traces/call-list.ts'
import type {CsiCall} from '../../kubelet/traces/csi-call.ts'
import {callsAbout} from '../../kubelet/traces/csi-calls.ts'
import type {Trace} from '../../kubelet/traces/trace.ts'

type Volume = Pick<CsiCall, 'handle'> & {readonly driver?: string | undefined}

/** When it did, after a stage that timed out and that nothing has undone since; undefined when it has not. */
export function letGoAt(trace: Trace, {driver, handle}: Volume): number | undefined {
  const calls = callsAbout(trace.calls, {driver, handle, path: undefined, podUid: undefined})
  // Whoever never got through to the driver has not staged anything: a timeout has.
  const timedOut = calls.findLast(
    ({method, end}) => method === 'NodeStageVolume' && end.state === 'failed' && end.code === 'DeadlineExceeded',
  )
  if (timedOut === undefined) return undefined
  const from = timedOut.startedAt
  const isOver = ({method, startedAt, end}: CsiCall) =>
    startedAt >= from && (method === 'NodeUnstageVolume' || (method === 'NodeStageVolume' && end.state === 'ok'))
  if (calls.some(isOver)) return undefined
  return trace.detached.find((each) => each.handle === handle && agree(each.driver, driver) && each.at >= from)?.at
}
