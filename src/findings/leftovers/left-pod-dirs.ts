// Directories of pods that nobody knows: what V01 and V03 have in common.
import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import {oncePer} from '../../base/once-per.ts'
import {kubeletStarts} from '../../kubelet/traces/csi-calls.ts'
import {kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import {type OrphanLines, orphanLines} from '../../kubelet/traces/orphan-lines.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Evidence} from '../finding.ts'
import {leftDirGraceMs, stepGraceMs} from '../graces.ts'
import {isPodUid, podPresence} from '../pods/pod-presence.ts'
import {type PodDirContent, podDirContent} from './pod-dir-content.ts'

export interface LeftPodDir {
  readonly uid: string
  /** Below the kubelet's root. */
  readonly path: string
  readonly content: PodDirContent
  /** Paths in it at which something is mounted, sorted; those of subPaths apart. */
  readonly mounts: readonly string[]
  readonly subpathMounts: readonly string[]
  /** `young`: it may still be at work. `unknown`: nothing tells its age. */
  readonly age: 'settled' | 'young' | 'unknown'
  /** Milliseconds since 1970: it has been left since then at least; undefined when nothing tells. */
  readonly since: number | undefined
  /** That nobody knows the pod, and what tells the age. */
  readonly evidence: readonly Evidence[]
}

/** Empty when the lists of pods cannot be concluded from. */
export const leftPodDirs: (snapshot: Snapshot) => readonly LeftPodDir[] = oncePer((snapshot) => {
  const presence = podPresence(snapshot)
  if (presence.doubt !== undefined) return []
  const dirs = kubeletDirs(known(snapshot.readings['disk.entries']) ?? noEntries)
  const mounts = kubeletMounts(snapshot)
  const log = known(snapshot.readings['kubelet.log']) ?? noLines
  const started = kubeletStarts(log).at(-1)
  // A kubelet looks at what its predecessor left only after it has heard from all of its sources.
  const justStarted = started !== undefined && snapshot.when - started < stepGraceMs ? started : undefined
  const directories = dirs.names('pods').filter((name) => dirs.get(`pods/${name}`)?.type === 'directory')
  const mounted = mounts?.pathsWithin('pods').flatMap((path) => path.split('/')[1] ?? []) ?? []
  const names = [...new Set([...directories, ...mounted])].sort()
  return names
    .filter((uid) => isPodUid(uid) && !presence.knows(uid))
    .map((uid) => {
      const path = `pods/${uid}`
      const content = podDirContent(dirs, path)
      const lines = orphanLines(log).get(uid)
      const paths = mounts?.pathsWithin(path) ?? []
      const isSubpath = (each: string) => each.startsWith(`${path}/volume-subpaths/`)
      return {
        uid,
        path,
        content,
        mounts: paths.filter((each) => !isSubpath(each)),
        subpathMounts: paths.filter(isSubpath),
        ...ageOf(snapshot.when, content.changedAt, lines, justStarted),
        evidence: [
          {source: 'kubelet.pods', fact: `no pod has the UID ${uid}: ${presence.asked} were asked`},
          ...ageEvidence(snapshot.when, content.changedAt, lines),
          ...(justStarted === undefined ? [] : [{source: 'kubelet.log', fact: `the kubelet started at ${formatInstant(justStarted)}`}]),
        ],
      }
    })
})

const noEntries: readonly never[] = []
const noLines: readonly never[] = []

function ageOf(
  now: number,
  changedAt: number | undefined,
  lines: OrphanLines | undefined,
  justStarted: number | undefined,
): Pick<LeftPodDir, 'age' | 'since'> {
  const told = [changedAt, lines?.first].flatMap((at) => at ?? [])
  if (told.length === 0) return {age: 'unknown', since: undefined}
  const since = Math.max(Math.min(...told), justStarted ?? 0)
  return {age: justStarted !== undefined || now - since < leftDirGraceMs ? 'young' : 'settled', since}
}

function ageEvidence(now: number, changedAt: number | undefined, lines: OrphanLines | undefined): Evidence[] {
  const changed =
    changedAt === undefined
      ? []
      : [{source: 'disk.entries', fact: `last changed at ${formatInstant(changedAt)}, ${formatDuration(now - changedAt)} ago`}]
  if (lines === undefined) return changed
  const span = lines.count === 1 ? `at ${formatInstant(lines.first)}` : `${lines.count} times since ${formatInstant(lines.first)}`
  return [...changed, {source: 'kubelet.log', fact: `${span}: ${lines.text}`}]
}
