// Who uses a claim's volume on this node: by the lists of pods, and by the directories that the kubelet makes for it.
import {nodeUid, type Pod} from '../../../node/pod.ts'
import {known} from '../../../node/reading.ts'
import type {Snapshot} from '../../../node/snapshot.ts'
import {slashed} from '../asked.ts'
import {podsHere, whyNoPods} from './pods-here.ts'
import {whyUnknown} from './why-unknown.ts'

/** @param users pods that are known to have the claim @param volume the PersistentVolume's name, where it is known */
export function usersWords(users: readonly Pod[], volume: string | undefined, snapshot: Snapshot): string {
  const others = volume === undefined ? [] : podsWithDirectory(volume, users, snapshot)
  const found = others.map((pod) => `${pod} has a directory for it here`).join(', ')
  if (users.length > 0) {
    const words = `${users.map(slashed).join(', ')} ${users.length === 1 ? 'uses' : 'use'} it here`
    return `${found === '' ? words : `${words}; ${found}`}.`
  }
  const why = whyNoPods(snapshot)
  if (why === undefined) return found === '' ? 'No pod of this node uses it now.' : `No pod of this node that is listed uses it; ${found}.`
  const unlisted = `Which pods of this node use it is not known (${why})`
  if (found !== '') return `${unlisted}; ${found}.`
  const unseen = volume === undefined ? 'its name is not known' : whyUnknown(snapshot.readings['disk.entries'])
  return unseen === undefined
    ? `${unlisted}; none has a directory for it here.`
    : `${unlisted}, nor which have a directory for it (${unseen}).`
}

/** In their directories: pods/UID/volumes/kubernetes.io~csi/PV, or volumeDevices in place of volumes. By name, where it is known. */
function podsWithDirectory(volume: string, users: readonly Pod[], snapshot: Snapshot): readonly string[] {
  const names = new Map(podsHere(snapshot).map((pod) => [nodeUid(pod), slashed(pod)]))
  const listed = new Set(users.map(nodeUid))
  const uids = (known(snapshot.readings['disk.entries']) ?? []).flatMap(({path}) => {
    const [pods, uid = '', kind = '', plugin, name, ...below] = path.split('/')
    const isIts = pods === 'pods' && kinds.includes(kind) && plugin === 'kubernetes.io~csi' && name === volume && below.length === 0
    return isIts && !listed.has(uid) ? [uid] : []
  })
  return [...new Set(uids)].map((uid) => names.get(uid) ?? `the pod with the uid ${uid}`)
}

const kinds = ['volumes', 'volumeDevices']
