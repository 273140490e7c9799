// Whether a vol_data.json that the kubelet cannot use keeps anything from being undone.
import {formatDuration} from '../../base/duration.ts'
import {kubeletDirs} from '../../kubelet/kubelet-dirs.ts'
import {orphanLines} from '../../kubelet/volumes/orphan-lines.ts'
import type {Pod} from '../../node/pod.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {stepGraceMs} from '../graces.ts'
import {podPresence} from '../pods/pod-presence.ts'
import type {BrokenRecord} from './broken-records.ts'

export interface RecordStanding {
  /** `stuck`: the kubelet cannot unmount. `young`: it may be between two steps. `harmless`: nothing is left to unmount. */
  readonly verdict: 'stuck' | 'young' | 'harmless'
  /** One that somebody knows. */
  readonly podUid: string | undefined
  readonly pod: Pod | undefined
  readonly mounted: boolean
  /** 'for 5m' or 'since when nobody can tell'. */
  readonly since: string
}

/** Undefined when nothing depends on the file: no mount, no pod, nothing that was published. */
export function recordStanding(snapshot: Snapshot, record: BrokenRecord): RecordStanding | undefined {
  const presence = podPresence(snapshot)
  const dirs = kubeletDirs(known(snapshot.readings['disk.entries']) ?? [])
  // A sandbox that is not ready is kept for a while after its pod is gone: it waits for no volume.
  const waits = (uid: string) => presence.running(uid).length > 0 || !(presence.sourceOf(uid) ?? 'runtime').startsWith('runtime')
  const podUid = record.podUids.find(waits)
  const mounted = record.mounts !== undefined && record.mounts.length > 0
  const target = record.kind === 'pod' ? dirs.get(`${record.folder}/mount`) : undefined
  const depends = mounted || target !== undefined || podUid !== undefined || record.kind === 'staging'
  if (!depends) return undefined
  const age = ageOf(snapshot, record, podUid)
  const common = {podUid, pod: podUid === undefined ? undefined : presence.pod(podUid), mounted, since: sinceOf(age)}
  // It has run, nobody deletes it, and nothing of the volume is there: what is missing was taken away with the rest (#116847).
  if (record.missing && !mounted && dirs.names(record.folder).length === 0 && isOver(snapshot, podUid))
    return {...common, verdict: 'harmless'}
  if (!mounted && podUid === undefined) return {...common, verdict: presence.doubt === undefined ? 'harmless' : 'young'}
  // A record is written before anything is staged: with a mount it is old, whatever nobody says of its age.
  const settled = age === undefined ? record.kind === 'staging' && mounted : age >= stepGraceMs
  return {...common, verdict: settled ? 'stuck' : 'young'}
}

/** It has ended by itself, and stays until somebody deletes it: it waits for no volume. */
function isOver(snapshot: Snapshot, podUid: string | undefined): boolean {
  if (podUid === undefined) return false
  const presence = podPresence(snapshot)
  const pod = presence.pod(podUid)
  return pod !== undefined && hasEnded(pod) && pod.deletedAt === undefined && presence.running(podUid).length === 0
}

function hasEnded({phase}: Pod): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

/** How long it has been so, at least: by the directory, which changes with its entries, else by what the pod has been doing. */
function ageOf(snapshot: Snapshot, {path, folder, podUids}: BrokenRecord, podUid: string | undefined): number | undefined {
  const dirs = kubeletDirs(known(snapshot.readings['disk.entries']) ?? [])
  const changes = [path, folder].flatMap((each) => dirs.get(each)?.modifiedAt ?? [])
  if (changes.length > 0) return snapshot.when - Math.max(...changes)
  const log = known(snapshot.readings['kubelet.log'])
  const sinces =
    podUid === undefined ? podUids.flatMap((uid) => (log && orphanLines(log).get(uid)?.first) ?? []) : podTimes(snapshot, podUid)
  return sinces.length === 0 ? undefined : snapshot.when - Math.min(...sinces)
}

/** Volumes are mounted before the first container starts, and unmounted after the last one ended. */
function podTimes(snapshot: Snapshot, podUid: string): number[] {
  const presence = podPresence(snapshot)
  const pod = presence.pod(podUid)
  if (pod?.deletedAt !== undefined) return [pod.deletedAt]
  if (pod !== undefined && hasEnded(pod)) {
    const ends = pod.containers.flatMap(({finishedAt}) => finishedAt ?? [])
    return ends.length === 0 ? [] : [Math.max(...ends)]
  }
  // Zero is what a runtime says that does not know.
  return presence.running(podUid).flatMap(({createdAt}) => (createdAt > 0n ? [Number(createdAt / 1_000_000n)] : []))
}

function sinceOf(age: number | undefined): string {
  return age === undefined ? 'since when nobody can tell' : `for ${formatDuration(Math.max(age, 0))} or longer`
}
