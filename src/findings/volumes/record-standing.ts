// Whether a vol_data.json that the kubelet cannot use keeps anything from being undone.

import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import {kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {orphanLines} from '../../kubelet/traces/orphan-lines.ts'
import {isOver, type Pod} from '../../node/pod.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot, SourceName} from '../../node/snapshot.ts'
import {stepGraceMs} from '../graces.ts'
import {podPresence} from '../pods/pod-presence.ts'
import {toldMoment} from '../runtime/runtime-moments.ts'
import {changeOf, later, type Proof} from '../since.ts'
import type {BrokenRecord} from './broken-records.ts'

export interface RecordStanding {
  /** `stuck`: the kubelet cannot unmount. `young`: it may be between two steps. `harmless`: nothing is left to unmount. */
  readonly verdict: 'stuck' | 'young' | 'harmless'
  /** One that somebody knows. */
  readonly podUid: string | undefined
  readonly pod: Pod | undefined
  readonly mounted: boolean
  /** 'for 5m' or 'since when nobody can tell'. */
  readonly forHowLong: string
  /** Since when it is proven, or thought where it is young; undefined when nothing tells. */
  readonly since: Proof | undefined
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
  const told = toldSince(snapshot, record, podUid)
  const age = told === undefined ? undefined : snapshot.when - told.at
  const since = told?.proven || (age !== undefined && age < stepGraceMs) ? told : undefined
  const common = {podUid, pod: podUid === undefined ? undefined : presence.pod(podUid), mounted, forHowLong: forHowLong(age), since}
  // It has run, nobody deletes it, and nothing of the volume is there: what is missing was taken away with the rest (#116847).
  if (record.missing && !mounted && dirs.names(record.folder).length === 0 && staysAfterItsEnd(snapshot, podUid))
    return {...common, verdict: 'harmless'}
  if (!mounted && podUid === undefined) return {...common, verdict: presence.doubt === undefined ? 'harmless' : 'young'}
  // A record is written before anything is staged: with a mount it is old, whatever nobody says of its age.
  const settled = age === undefined ? record.kind === 'staging' && mounted : age >= stepGraceMs
  return {...common, verdict: settled ? 'stuck' : 'young'}
}

/** It has ended by itself, and stays until somebody deletes it: it waits for no volume. */
function staysAfterItsEnd(snapshot: Snapshot, podUid: string | undefined): boolean {
  if (podUid === undefined) return false
  const presence = podPresence(snapshot)
  const pod = presence.pod(podUid)
  return pod !== undefined && isOver(pod) && pod.deletedAt === undefined && presence.running(podUid).length === 0
}

interface Told extends Proof {
  /** Of what the pod does it is only likely that the file was as it is by then. */
  readonly proven: boolean
}

/** By the directory, which changes with its entries, else by the log, or by what the pod has been doing. */
function toldSince(snapshot: Snapshot, {path, folder, podUids}: BrokenRecord, podUid: string | undefined): Told | undefined {
  const dirs = kubeletDirs(known(snapshot.readings['disk.entries']) ?? [])
  const changes = [path, folder].flatMap((each) => changeOf(each, dirs.get(each)?.modifiedAt) ?? [])
  if (changes.length > 0) return {...changes.reduce(later), proven: true}
  const log = known(snapshot.readings['kubelet.log'])
  const told =
    podUid === undefined ? podUids.flatMap((uid) => toldByLog(log && orphanLines(log).get(uid)?.first) ?? []) : podTimes(snapshot, podUid)
  return told.length === 0 ? undefined : told.reduce((a, b) => (b.at < a.at ? b : a))
}

function toldByLog(first: number | undefined): Told | undefined {
  if (first === undefined) return undefined
  return {
    at: first,
    evidence: [{source: 'kubelet.log', fact: `it spoke of the orphaned pod first at ${formatInstant(first)}`}],
    proven: true,
  }
}

/** Volumes are mounted before the first container starts, and unmounted after the last one ended. */
function podTimes(snapshot: Snapshot, podUid: string): Told[] {
  const presence = podPresence(snapshot)
  const pod = presence.pod(podUid)
  const source = presence.sourceOf(podUid) ?? 'kubelet.pods'
  const told = (at: number, what: string, from: SourceName = source): Told => ({
    at,
    evidence: [{source: from, fact: `${what} ${formatInstant(at)}`}],
    proven: false,
  })
  if (pod?.deletedAt !== undefined) return [told(pod.deletedAt, 'the pod is being deleted, due at')]
  if (pod !== undefined && isOver(pod)) {
    const ends = pod.containers.flatMap(({finishedAt}) => finishedAt ?? [])
    return ends.length === 0 ? [] : [told(Math.max(...ends), 'its last container ended at')]
  }
  // Zero is what a runtime says that does not know.
  const made = presence.running(podUid).flatMap(({createdAt}) => toldMoment(createdAt) ?? [])
  return made.map((at) => told(at, 'a running container of it was made at', 'runtime.containers'))
}

function forHowLong(age: number | undefined): string {
  return age === undefined ? 'since when nobody can tell' : `for ${formatDuration(Math.max(age, 0))} or longer`
}
