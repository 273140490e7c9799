// Since when a pod is gone of which the runtime still has something: the latest that it can be. No age, no alarm (docs/decisions.md, 15).
import {formatInstant} from '../../base/instant.ts'
import {oncePer} from '../../base/once-per.ts'
import {kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Evidence} from '../finding.ts'
import {isStaticUid} from '../pods/kubelet-would-list.ts'
import {removalLines} from './removal-lines.ts'

export interface GoneSince {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly evidence: Evidence
}

export interface RuntimePod {
  readonly uid: string
  readonly namespace: string | undefined
  readonly name: string | undefined
  /** Of the newest that the runtime has of it; undefined when that cannot be told. */
  readonly bornAt: number | undefined
  /** The kubelet had it then, as it made something of it; undefined when not all of it is known. */
  readonly hadAt: number | undefined
}

/** Undefined when nothing tells. Its directories do not: they are as old as the pod while it runs. */
export function goneSince(snapshot: Snapshot, pod: RuntimePod): GoneSince | undefined {
  const bounds = [fromLog(snapshot, pod), fromDisk(snapshot, pod)].flatMap((each) => each ?? [])
  const [first] = bounds.filter(({at}) => at <= snapshot.when).toSorted((a, b) => a.at - b.at)
  return first
}

function fromLog({readings}: Snapshot, {uid, namespace, name, bornAt}: RuntimePod): GoneSince | undefined {
  const lines = removalLines(known(readings['kubelet.log']) ?? noLines)
  // A static pod comes back under the same UID when its manifest does.
  const named =
    namespace === undefined || name === undefined || bornAt === undefined || isStaticUid(uid)
      ? undefined
      : lines.ofName(namespace, name, bornAt)
  const [first] = [lines.ofUid(uid), named].flatMap((line) => line ?? []).toSorted((a, b) => a.at - b.at)
  // Before it was made it cannot have been gone for good.
  return (
    first && {
      at: Math.max(first.at, bornAt ?? first.at),
      evidence: {source: 'kubelet.log', fact: `at ${formatInstant(first.at)}: ${first.text}`},
    }
  )
}

/** The kubelet removes the directory of a pod that is gone, which changes pods/. */
function fromDisk(snapshot: Snapshot, {uid, hadAt}: RuntimePod): GoneSince | undefined {
  const pods = podsDir(snapshot)
  if (pods === undefined || pods.has(uid) || hadAt === undefined) return undefined
  const fact = `${snapshot.kubeletRoot}/pods has no directory of it, and was last changed at ${formatInstant(pods.changedAt)}`
  return {at: Math.max(pods.changedAt, hadAt), evidence: {source: 'disk.entries', fact}}
}

/** Undefined when it may not be the one where this kubelet has its pods. */
const podsDir: (snapshot: Snapshot) => {readonly changedAt: number; has(uid: string): boolean} | undefined = oncePer(({readings}) => {
  const dirs = kubeletDirs(whole(readings['disk.entries']) ?? noEntries)
  const changedAt = dirs.get('pods')?.modifiedAt
  const has = (uid: string) => dirs.get(`pods/${uid}`) !== undefined
  const isKubelets = (known(readings['kubelet.pods']) ?? []).some(({uid}) => has(uid))
  return changedAt !== undefined && isKubelets ? {changedAt, has} : undefined
})

const noLines: readonly never[] = []
const noEntries: readonly never[] = []
