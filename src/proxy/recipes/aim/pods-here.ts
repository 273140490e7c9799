// The pods of this node, by whoever tells of them.
import {nodeUid, type Pod} from '../../../node/pod.ts'
import {known} from '../../../node/reading.ts'
import type {Snapshot} from '../../../node/snapshot.ts'
import {type Namespaced, slashed} from '../asked.ts'

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

export function claimsHere(snapshot: Snapshot): readonly string[] {
  const claims = podsHere(snapshot).flatMap(({namespace, volumes}) =>
    volumes.flatMap(({claim}) => (claim === undefined ? [] : [slashed({namespace, name: claim})])),
  )
  return [...new Set(claims)].toSorted()
}

/** Why nobody told of them; undefined when somebody did. */
export function whyNoPods({readings}: Snapshot): string | undefined {
  const [kubelet, api] = [readings['kubelet.pods'], readings['api.pods']]
  return kubelet.state === 'read' || api.state === 'read' ? undefined : `${kubelet.why}; ${api.why}`
}
