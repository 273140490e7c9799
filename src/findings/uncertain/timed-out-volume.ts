// Stages and publishes that the log shows to have failed without a final answer, where the disk alone would not show them.

import type {CsiCall} from '../../kubelet/traces/csi-call.ts'
import type {ForgottenVolume} from '../../kubelet/traces/forgotten.ts'
import type {Belief, BelievedVolume} from '../../kubelet/traces/reconstruct.ts'
import type {Trace} from '../../kubelet/traces/trace.ts'
import {errorClass} from '../../kubelet/volumes/error-class.ts'
import type {DetectContext} from '../detector.ts'
import {letGoAt} from './let-go.ts'

export interface TimedOutVolume extends Omit<ForgottenVolume, 'path' | 'modifiedAt'> {
  /** Below the kubelet's root; undefined when the log shows the operation and not its call. */
  readonly path: string | undefined
}

/**
 * Kubelets up to 1.17 remove the directories after a timeout. Later ones keep them until the volume is undone:
 * there a volume counts only while its pod's entry is there and nothing is published at it, or when they let go of it without undoing it.
 */
export function timedOutVolumes(
  {snapshot, trace, profile}: DetectContext,
  what: ForgottenVolume['what'],
  belief: Belief,
): TimedOutVolume[] {
  const method = what === 'staged' ? 'NodeStageVolume' : 'NodePublishVolume'
  const root = `${snapshot.kubeletRoot}/`
  const below = (call: CsiCall) => (call.path?.startsWith(root) ? call.path.slice(root.length) : undefined)
  const last = new Map(
    trace.calls.filter((call) => call.method === method).map((call) => [JSON.stringify([call.driver, call.handle, call.podUid]), call]),
  )
  const names = Map.groupBy(trace.names, ({handle}) => handle)
  const volumes = Map.groupBy(belief.volumes, ({handle}) => handle)
  const forgotten = Map.groupBy(belief.forgotten, ({handle}) => handle)
  const remembers = profile.switches.has('uncertain-mounts')
  return [...last.values()].flatMap((call): TimedOutVolume[] => {
    if (call.end.state !== 'failed' || errorClass(call.end.code) === 'final') return []
    const name = names.get(call.handle)?.find(({driver}) => (call.driver ?? driver) === driver)
    const volume: TimedOutVolume = {
      what,
      mode: call.path?.includes('/volumeDevices/') ? 'block' : 'filesystem',
      path: below(call),
      specName: name?.specName,
      driver: call.driver ?? name?.driver,
      handle: call.handle,
      podUid: call.podUid,
    }
    const ofHandle = volumes.get(call.handle) ?? []
    const onDisk = forgotten.get(call.handle)?.some((each) => each.what === what && each.driver === volume.driver) ?? false
    return !onDisk && (remembers ? isHalfPublished(volume, ofHandle) || isLetGo(volume, trace) : !isPublished(volume, ofHandle))
      ? [volume]
      : []
  })
}

function isHalfPublished({what, driver, podUid}: TimedOutVolume, ofHandle: readonly BelievedVolume[]): boolean {
  return what === 'published' && ofHandle.some((each) => each.podUid === podUid && each.driver === driver && each.published === false)
}

function isLetGo({what, driver, handle}: TimedOutVolume, trace: Trace): boolean {
  return what === 'staged' && handle !== undefined && letGoAt(trace, {driver, handle}) !== undefined
}

function isPublished({driver, podUid}: TimedOutVolume, ofHandle: readonly BelievedVolume[]): boolean {
  return ofHandle.some((each) => (podUid === undefined || each.podUid === podUid) && each.driver === driver && each.published)
}
