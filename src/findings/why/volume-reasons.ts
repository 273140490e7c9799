// A volume of a pod that is in the way: what the last call about it was, and when the kubelet tries again.
import {formatInstant} from '../../base/instant.ts'
import type {CsiCall} from '../../kubelet/traces/csi-call.ts'
import {callsAbout} from '../../kubelet/traces/csi-calls.ts'
import {callFact, csiTimeoutMs, endWord} from '../call-words.ts'
import type {DetectContext} from '../detector.ts'
import type {Evidence} from '../finding.ts'
import {healingMs} from '../healing.ts'
import {type HeldVolume, heldVolumes} from '../pods/held-volumes.ts'
import type {Link, Reason} from './chain.ts'

/**
 * Volumes of a pod that has nothing running: the kubelet holds the object until each is unpublished.
 * @param started whether it ever had a container: else what its directory lacks may be on its way there
 */
export function unpublishReasons(context: DetectContext, podUid: string, deletedAt: number, started: boolean): readonly Reason[] {
  const {snapshot} = context
  const own = heldVolumes(context, podUid).filter(({published, linked}) => published !== false && (linked || started))
  return own.map((volume): Reason => {
    const call = lastCall(context, volume, podUid)
    const since = call === undefined ? undefined : formatInstant(call.startedAt)
    const certain = volume.published === true
    const place: Evidence = certain
      ? {
          source: volume.mode === 'block' ? 'disk.entries' : 'kernel.mounts',
          fact: volume.mode === 'block' ? `${volume.path} is there` : `something is mounted at ${volume.path}/mount`,
        }
      : {source: 'disk.entries', fact: `${volume.path} is there; the mount table was not read`}
    const link: Link = {
      what: `Its volume ${volume.specName} of ${volume.driver} is ${certain ? 'still' : 'perhaps still'} published: the kubelet holds the pod until NodeUnpublishVolume has gone well${described(call)}.`,
      ...(since !== undefined && {since}),
      evidence: [place, ...callEvidence(call)],
    }
    return {
      links: [link],
      next: [nextTry(call, snapshot.when)],
      remedy: [],
      about: {driver: volume.driver, handle: volume.handle},
      overdue: certain && snapshot.when - deletedAt > healingMs,
    }
  })
}

function lastCall({trace, snapshot}: DetectContext, {driver, handle, target}: HeldVolume, podUid: string): CsiCall | undefined {
  const calls = callsAbout(trace.calls, {driver, handle, path: `${snapshot.kubeletRoot}/${target}`, podUid})
  return calls.findLast(({method}) => method === 'NodeUnpublishVolume')
}

function described(call: CsiCall | undefined): string {
  if (call === undefined) return ''
  if (call.end.state === 'open') return `; it was called at ${formatInstant(call.startedAt)} and is unanswered`
  return call.end.state === 'failed' ? `; it last failed with ${endWord(call.end)}` : ''
}

function callEvidence(call: CsiCall | undefined): readonly Evidence[] {
  if (call === undefined) return []
  return [{source: 'kubelet.log', fact: callFact(call)}]
}

/** exponentialbackoff: 500 ms, twice as long each time, 2 min 2 s at most. */
function nextTry(call: CsiCall | undefined, now: number): string {
  if (call?.end.state === 'open')
    return `it gives up waiting for NodeUnpublishVolume at ${formatInstant(call.startedAt + csiTimeoutMs)} at the latest, and tries again`
  const at = call?.end.state === 'failed' ? call.end.retryAt : undefined
  if (at !== undefined && at > now) return `it calls NodeUnpublishVolume again at ${formatInstant(at)}`
  return `it calls NodeUnpublishVolume${call === undefined ? ' when its worker has come to that, and after a failure' : ''} again within 2m 2s, the longest pause between two tries`
}
