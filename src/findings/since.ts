// Since when a thing has been so, at least: only what a source proves.
import {formatInstant} from '../base/instant.ts'
import {kubeletDirs} from '../kubelet/traces/kubelet-dirs.ts'
import {whole} from '../node/reading.ts'
import type {Snapshot} from '../node/snapshot.ts'
import type {Evidence, Finding} from './finding.ts'

/** A moment, and what tells of it. */
export interface Proof {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly evidence: readonly Evidence[]
}

/** The field of a finding. What a clock that ran ahead has dated is so now, at least. */
export function sinceAt(at: number | undefined, now: number): Pick<Finding, 'since'> {
  return at === undefined ? {} : {since: formatInstant(Math.max(0, Math.min(at, now)))}
}

/** An entry that is not there went no later than the directory last changed that it would lie in. @param path below the kubelet's root */
export function missingSince(snapshot: Snapshot, path: string): Proof | undefined {
  const entries = whole(snapshot.readings['disk.entries'])
  if (entries === undefined) return undefined
  const dirs = kubeletDirs(entries)
  for (let at = path; at !== ''; ) {
    // It was made meanwhile, or what should be its directory is something else.
    const entry = dirs.get(at)
    if (entry !== undefined && (at === path || entry.type !== 'directory')) return undefined
    if (entry !== undefined) return changeOf(at, entry.modifiedAt)
    at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
  }
  return undefined
}

/** 'plugins was last changed at …', as evidence; undefined when nobody dated it. */
export function changeOf(path: string, modifiedAt: number | undefined): Proof | undefined {
  if (modifiedAt === undefined) return undefined
  return {at: modifiedAt, evidence: [{source: 'disk.entries', fact: `${path} was last changed at ${formatInstant(modifiedAt)}`}]}
}

/** Both together have been so only since the later of the two. */
export function later(a: Proof, b: Proof): Proof {
  return b.at > a.at ? b : a
}
