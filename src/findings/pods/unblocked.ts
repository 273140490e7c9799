// Why a pod that should be gone is still there although nothing that we know of is in its way: the kubelet's own view of it.
import {capitalised} from '../../base/capitalised.ts'
import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import type {Pod} from '../../node/pod.ts'
import type {DetectContext} from '../detector.ts'
import {longestBackOffMs} from '../uncertain/uncertain-call.ts'
import {usable} from '../usable.ts'
import {heldVolumes} from './held-volumes.ts'
import {whoSays} from './pod-views.ts'
import {podsHere} from './pods-here.ts'
import {isLasting, isRecent} from './refused-updates.ts'
import type {TerminatingPod} from './terminating-pods.ts'

export interface Unblocked {
  /** A sentence or two. */
  readonly why: string
  readonly next: string
}

export function whyUnblocked(terminating: TerminatingPod, context: DetectContext): Unblocked {
  const {frozen, seen} = terminating
  if (isRefused(terminating, context)) return refusedStatus(terminating, context)
  if (frozen?.source === 'kubelet.pods') return staleView(terminating)
  if (frozen !== undefined) return lateStatus(terminating)
  const atKubelet = seen.views.some(({source}) => source === 'kubelet.pods')
  if (!atKubelet && usable(context.snapshot, 'kubelet.pods') && podsHere(context).doubt === undefined) return forgotten()
  return unfinished(terminating, context)
}

/** As seen on 1.17.3: the line of the log, or else all that goes with it. */
function isRefused({frozen, refused, seen, records}: TerminatingPod, {snapshot, profile}: DetectContext): boolean {
  if (refused !== undefined && (frozen !== undefined || isRecent(refused, snapshot.when))) return true
  const {restartPolicy, containers} = seen.pod
  if (profile.switches.has('deleted-ignores-reasons') || frozen?.source !== 'kubelet.pods' || records.length > 0) return false
  return (restartPolicy === 'Never' || restartPolicy === 'OnFailure') && regular(containers) > 1 && hasEnded(containers)
}

function regular(containers: Pod['containers']): number {
  return containers.filter(({kind}) => kind === 'regular').length
}

function hasEnded(containers: Pod['containers']): boolean {
  return containers.some(({kind, state}) => kind === 'regular' && state === 'terminated')
}

function refusedStatus({frozen, refused, seen}: TerminatingPod, {snapshot, profile}: DetectContext): Unblocked {
  const failed = refused?.container ?? seen.pod.containers.find(({state}) => state === 'terminated')?.name ?? 'one'
  const says = frozen === undefined ? '' : `${saysRunning(frozen)}, and the runtime has no such container. `
  const counted =
    refused === undefined
      ? ''
      : ` It refused ${refused.count === 1 ? 'an update' : `${refused.count} updates`} of its status, ${refused.count === 1 ? '' : 'the last '}at ${formatInstant(refused.last)}.`
  const how = `${failed} has ended and is taken for one that waits to start, and the kubelet refuses every status of a pod that says so`
  if (!profile.switches.has('deleted-ignores-reasons')) {
    const why = `The kubelet's state is stale: ${says}${how}. Kubelet ${profile.version} never gets over that.${counted}`
    return {why, next: 'The same is refused at each resync, every 60s to 90s, until the kubelet is restarted.'}
  }
  const passing = refused !== undefined && !isLasting(refused, snapshot.when)
  const why =
    `The kubelet's state is stale: ${says}${how}. Kubelet ${profile.version} should not do that to a pod that is deleted; ` +
    `it still can where somebody removed the container behind its back (crictl rm).${counted}`
  return {
    why,
    next: passing ? 'The kubelet looks again at its next resync, within 90s.' : 'The same at each resync, every 60s to 90s.',
  }
}

function staleView({frozen, records}: TerminatingPod): Unblocked {
  const says =
    frozen === undefined
      ? ''
      : `${saysRunning(frozen)}, and the runtime ${records.length === 0 ? 'has no container of the pod' : 'has none that runs'}`
  return {
    why: `The kubelet's state is stale: ${says}.`,
    next: 'The kubelet looks at the pod again at its next resync, within 90s; what it does not notice then it will not notice later.',
  }
}

function lateStatus({frozen, seen}: TerminatingPod): Unblocked {
  const says = frozen === undefined ? '' : saysRunning(frozen)
  const knows = seen.views.some(({source}) => source === 'kubelet.pods')
  return {
    why: knows
      ? `The status is late: ${says}, and the kubelet knows that it has ended.`
      : `${capitalised(says)}: the kubelet has not told it of the end.`,
    next: 'The kubelet sends statuses at once or with the next batch, every 10s; with many pods its queries are throttled.',
  }
}

function forgotten(): Unblocked {
  return {
    why: 'The kubelet no longer lists the pod, and the API server still has it.',
    next: 'The kubelet removes the object with its next batch of statuses, every 10s, if it still remembers the pod.',
  }
}

/** What it has yet to do before it removes the object. */
function unfinished({seen, records}: TerminatingPod, context: DetectContext): Unblocked {
  const volumes = heldVolumes(context, seen.uid).filter(({published}) => published !== false)
  const left = [
    ...volumes.map(({specName}) => `the volume ${specName} is still there`),
    ...(records.length === 0
      ? []
      : [`the runtime still has ${records.length === 1 ? 'a container' : `${records.length} containers`} of it, none of which runs`]),
  ]
  return {
    why: left.length === 0 ? "Nothing of it is left: the kubelet's state is stale." : `The kubelet has not finished: ${left.join(', ')}.`,
    next:
      volumes.length === 0
        ? 'The kubelet looks at the pod again at its next resync, within 90s; dead containers go within a minute.'
        : `The kubelet unmounts again after a pause of up to ${formatDuration(longestBackOffMs)}, and the pod goes within seconds after it succeeds.`,
  }
}

function saysRunning({source, containers}: NonNullable<TerminatingPod['frozen']>): string {
  const names = containers.map(({name}) => name || 'a container without a name').join(', ')
  return `${whoSays(source)} says that ${names} still ${containers.length === 1 ? 'runs' : 'run'}`
}
