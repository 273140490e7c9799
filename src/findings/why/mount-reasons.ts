// A pod that waits for its volumes: to be attached, which is not the node's work, or to be staged and published, which is.
import {formatInstant} from '../../base/instant.ts'
import type {BelievedVolume} from '../../kubelet/traces/reconstruct.ts'
import type {Pod} from '../../node/pod.ts'
import type {PodEvent} from '../../node/pod-event.ts'
import {known} from '../../node/reading.ts'
import type {SourceName} from '../../node/snapshot.ts'
import type {DetectContext} from '../detector.ts'
import {claimsToCome} from '../pods/waiting-pods.ts'
import type {Link, Reason} from './chain.ts'
import {eventEvidence, warningsOf} from './events.ts'

/** From one failure to the next event of it: the longest pause, and the wait of the worker (volume_manager.go, exponentialbackoff). */
const freshMs = 245_000

/** volume_manager.go and exponentialbackoff. */
const tries = 'its worker gives up waiting after 2m 3s and begins anew; a call that fails is repeated after 500ms, doubled up to 2m 2s'

export function mountReasons(context: DetectContext, pod: Pod, source: SourceName): readonly Reason[] {
  const {belief, snapshot} = context
  const since = pod.createdAt === undefined ? {} : {since: formatInstant(pod.createdAt)}
  const [attach] = warningsOf(snapshot, pod, ['FailedAttachVolume'])
  if (attach !== undefined) {
    const link: Link = {
      what: "A volume of it is not attached to this node: that is the work of the attach/detach controller and of the driver's controller, not of the node.",
      ...since,
      evidence: [eventEvidence(attach)],
    }
    return [{links: [link], next: ['it looks again whether the volume is attached'], remedy: [], about: {}, elsewhere: true}]
  }
  if (belief === undefined) return []
  const waits = {source, fact: `${pod.namespace}/${pod.name} is Pending and none of its containers was made`}
  const failures = warningsOf(snapshot, pod, ['FailedMount', 'FailedMapVolume'])
  const events = failures.map(eventEvidence)
  const own = belief.volumes.filter(({podUid}) => podUid === pod.uid)
  const told =
    whatFor(pod, belief.volumes.length === 0 ? [] : own, claimsToCome(pod, belief)) ??
    whatFailed(context, pod, failures.filter(isOpen(own)))
  if (told === undefined) return []
  const link: Link = {what: told.what, ...since, evidence: [waits, ...told.evidence, ...events]}
  return [{links: [link], next: [tries], remedy: [], about: {volumesOf: pod.uid, ...told.about}}]
}

/** Of a secret, a configMap or an inline volume that is not to be had, no directory tells: the kubelet's event does. */
function whatFailed({snapshot}: DetectContext, pod: Pod, failures: readonly PodEvent[]): Told | undefined {
  const latest = Math.max(...failures.map(({lastAt = 0}) => lastAt))
  const [later] = warningsOf(snapshot, pod, ['FailedCreatePodSandBox']).filter(({lastAt = 0}) => lastAt > latest)
  const sandboxes = known(snapshot.readings['runtime.sandboxes']) ?? []
  const isPast = later !== undefined || sandboxes.some(({metadata}) => metadata?.uid === pod.uid)
  return failures.length === 0 || isPast || snapshot.when - latest > freshMs
    ? undefined
    : {what: 'It waits for its volumes: the last try to mount one of them failed.', evidence: []}
}

/** What is published by now has failed before. */
function isOpen(own: readonly BelievedVolume[]): (event: PodEvent) => boolean {
  const published = new Set(own.filter((each) => each.published === true).map(({specName}) => specName))
  return ({message}) => !published.has(/ for volume "([^"]*)"/.exec(message)?.[1] ?? '')
}

type Told = Pick<Link, 'what' | 'evidence'> & Partial<Pick<Reason, 'about'>>

function whatFor(pod: Pod, own: readonly BelievedVolume[], toCome: readonly string[]): Told | undefined {
  if (toCome.length > 0) {
    const which = toCome.length > 1 ? `one of its claims ${toCome.join(', ')}` : `its claim ${toCome[0]}`
    const fact = `pods/${pod.uid} has ${own.length} of ${toCome.length} volumes with a claim`
    return {what: `It waits for the volume of ${which}.`, evidence: [{source: 'disk.entries', fact}]}
  }
  const unpublished = own.filter(({published}) => published === false)
  const [first] = unpublished
  if (first === undefined) return undefined
  return {
    what: `It waits for ${unpublished.map(({specName}) => specName).join(', ')} to be published.`,
    evidence: unpublished.map(({path}) => ({source: 'kernel.mounts', fact: `nothing is mounted at ${path}/mount`})),
    about: {driver: first.driver, handle: first.handle},
  }
}
