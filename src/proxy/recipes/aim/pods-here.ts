// The pods of this node, by whoever tells of them.
import {nodeUid, type Pod} from '../../../node/pod.ts'
import {known} from '../../../node/reading.ts'
import type {Snapshot} from '../../../node/snapshot.ts'
import {type Namespaced, slashed} from '../asked.ts'
import {thereAre} from './listed-words.ts'
import {whyUnknown} from './why-unknown.ts'

/** Each once, the kubelet's view first. A list that somebody made with kubectl has the pods of all nodes. */
export function podsHere({node, readings}: Snapshot): readonly Pod[] {
  const pods = new Map<string, Pod>()
  const listed = known(readings['api.pods'])?.filter(({nodeName}) => node === '' || nodeName === undefined || nodeName === node)
  for (const pod of [...(known(readings['kubelet.pods']) ?? []), ...(listed ?? [])]) {
    const uid = nodeUid(pod)
    if (!pods.has(uid)) pods.set(uid, pod)
  }
  return [...pods.values()]
}

export function podsWithClaim(snapshot: Snapshot, {namespace, name}: Namespaced): readonly Pod[] {
  return podsHere(snapshot).filter((pod) => pod.namespace === namespace && pod.volumes.some(({claim}) => claim === name))
}

/** Those of the pods that are known. */
export function claimsThere(snapshot: Snapshot): string {
  const claims = claimsHere(snapshot)
  const why = whyNoPods(snapshot)
  if (why === undefined) return thereAre('claims of pods', claims)
  return claims.length === 0
    ? `the claims of this node's pods are not known: ${why}`
    : `${thereAre('claims of pods', claims)}, maybe more: ${why}`
}

function claimsHere(snapshot: Snapshot): readonly string[] {
  const claims = podsHere(snapshot).flatMap(({namespace, volumes}) =>
    volumes.flatMap(({claim}) => (claim === undefined ? [] : [slashed({namespace, name: claim})])),
  )
  return [...new Set(claims)].toSorted()
}

/** Why nobody told of all of them; undefined when somebody did. */
export function whyNoPods({readings}: Snapshot): string | undefined {
  const [kubelet, api] = [whyUnknown(readings['kubelet.pods']), whyUnknown(readings['api.pods'])]
  return kubelet === undefined || api === undefined ? undefined : `${kubelet}; ${api}`
}
