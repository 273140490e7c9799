// A pod whose volumes are there and that has no container yet: its sandbox is missing, or is there and waits for the containers.

import {formatInstant} from '../../base/instant.ts'
import {nodeUid, type Pod} from '../../node/pod.ts'
import {known, whole} from '../../node/reading.ts'
import {shortId} from '../../node/short-id.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {DetectContext} from '../detector.ts'
import type {Evidence} from '../finding.ts'
import type {Link, Reason} from './chain.ts'
import {eventEvidence, warningsOf} from './events.ts'

export function sandboxReasons({snapshot, belief}: DetectContext, pod: Pod): readonly Reason[] {
  const sandboxes = whole(snapshot.readings['runtime.sandboxes'])
  if (sandboxes === undefined) return []
  const uid = nodeUid(pod)
  const own = sandboxes.filter(({metadata}) => metadata?.uid === uid)
  const since = pod.createdAt === undefined ? {} : {since: formatInstant(pod.createdAt)}
  if (own.length > 0) {
    const ids = own.map(({id}) => shortId(id)).join(', ')
    const link: Link = {
      what: 'Its sandbox is there, and no container was started yet.',
      ...since,
      evidence: [{source: 'runtime.sandboxes', fact: `its sandboxes: ${ids}`}],
    }
    return [{links: [link], next: ['it makes the containers with the sync that is under way'], remedy: [], about: {}}]
  }
  const published = (belief?.volumes ?? []).filter(({podUid, published}) => podUid === uid && published === true)
  const [is, them] = published.length === 1 ? ['Its volume is', 'it'] : ['Its volumes are', 'them']
  const what =
    published.length === 0
      ? 'The runtime has no sandbox for it yet.'
      : `${is} published, and the runtime has no sandbox for the pod: the sandbox is being made, or the kubelet has not noted ${them} as mounted.`
  const failures = warningsOf(snapshot, pod, ['FailedCreatePodSandBox', 'FailedMount']).map(eventEvidence)
  const link: Link = {
    what,
    // Its volumes came later than the pod, and nothing dates them.
    ...(published.length === 0 && since),
    evidence: [
      {source: 'runtime.sandboxes', fact: 'no sandbox has its UID'},
      ...published.map(({path}) => ({source: 'kernel.mounts', fact: `something is mounted at ${path}/mount`})),
      ...networkEvidence(snapshot),
      ...failures,
    ],
  }
  const next = ['it tries again: 10s to 15s after an error, 1s after one of the network; RunPodSandbox may take 4m']
  return [{links: [link], next, remedy: [], about: {volumesOf: pod.uid}}]
}

function networkEvidence({readings}: Snapshot): readonly Evidence[] {
  const conditions = known(readings['runtime.answers'])?.conditions ?? []
  const unready = conditions.filter(({type, status}) => type === 'NetworkReady' && !status)
  return unready.map(({message, reason}) => ({source: 'runtime.answers', fact: `NetworkReady is false: ${message || reason}`}))
}
