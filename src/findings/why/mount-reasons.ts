// A pod that waits for its volumes: to be attached, which is not the node's work, or to be staged and published, which is.
import {formatInstant} from '../../base/instant.ts'
import type {BelievedVolume} from '../../kubelet/reconstruct.ts'
import type {Pod} from '../../node/pod.ts'
import type {SourceName} from '../../node/snapshot.ts'
import type {DetectContext} from '../detector.ts'
import {claimsToCome} from '../pods/waiting-pods.ts'
import type {Link, Reason} from './chain.ts'
import {eventEvidence, warningsOf} from './events.ts'

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
  const events = warningsOf(snapshot, pod, ['FailedMount', 'FailedMapVolume']).map(eventEvidence)
  const own = belief.volumes.filter(({podUid}) => podUid === pod.uid)
  const told = whatFor(pod, belief.volumes.length === 0 ? [] : own, claimsToCome(pod, belief))
  if (told === undefined) return []
  const link: Link = {what: told.what, ...since, evidence: [waits, ...told.evidence, ...events]}
  return [{links: [link], next: [tries], remedy: [], about: {volumesOf: pod.uid, ...told.about}}]
}

function whatFor(
  pod: Pod,
  own: readonly BelievedVolume[],
  toCome: readonly string[],
): (Pick<Link, 'what' | 'evidence'> & Partial<Pick<Reason, 'about'>>) | undefined {
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
