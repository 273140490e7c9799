// Why a path is there, or is as it is: what it is to the kubelet, whose it is, and what was found about it.
import {posix} from 'node:path'
import {UserError} from '../../base/errors.ts'
import {belowRoot, onHost} from '../../node/below-root.ts'
import {known} from '../../node/reading.ts'
import type {DetectContext} from '../detector.ts'
import type {Evidence, Finding} from '../finding.ts'
import {podName, podsHere} from '../pods/pods-here.ts'
import {volumeAt} from '../volumes/volume-paths.ts'
import {buildChains} from './build-chains.ts'
import type {Answer, Link, Standing} from './chain.ts'

/** @throws UserError when nothing that was read has anything to do with the path. */
export function pathAnswer(context: DetectContext, asked: string, findings: readonly Finding[]): Answer {
  const {snapshot} = context
  const path = posix.normalize(asked)
  const below = belowRoot(snapshot)(path)
  const about = findings.filter((finding) => concerns(finding, path, snapshot.kubeletRoot))
  const seen = evidenceOf(context, path, below)
  if (below === undefined && seen.length === 0 && about.length === 0) {
    throw new UserError(
      `Cannot explain ${path} as it must lie below the kubelet's root ${snapshot.kubeletRoot}, or be a socket of a driver: it is neither`,
      {
        hint: '--kubelet-root names another root',
      },
    )
  }
  const symptom: Link = {what: `${path} ${whatItIs(context, below, seen.length > 0)}.`, evidence: seen}
  const built = buildChains({symptom: [symptom], reasons: [], findings: about, all: findings}, about.length > 0)
  const blind = seen.length === 0 && about.length === 0 && known(snapshot.readings['disk.entries']) === undefined
  const standing = blind ? 'unknown' : built.standing
  const {chains} = built
  return {
    subject: {kind: 'Path', path},
    standing,
    summary: `${symptom.what.slice(0, -1)}: ${verdicts[standing]}.`,
    chains: chains.length > 0 ? chains : [{links: [symptom], next: [], remedy: []}],
  }
}

const verdicts: Readonly<Record<Standing, string>> = {
  well: 'nothing was found about it',
  waits: 'what was found may still end well',
  elsewhere: 'this node has done its part',
  stuck: 'something is wrong about it',
  unknown: 'nothing that was seen says why',
}

/** The finding is about the path, something in it, or something that it lies in: but not merely in the root. */
function concerns({subject}: Finding, path: string, root: string): boolean {
  const at = subject.path
  if (at === undefined) return false
  if (at === path) return true
  const within = (inner: string, outer: string) => outer !== '/' && inner.startsWith(`${outer}/`)
  return (path !== root && within(at, path)) || within(path, at)
}

function evidenceOf({snapshot}: DetectContext, path: string, below: string | undefined): readonly Evidence[] {
  const {readings} = snapshot
  const entry = below === undefined ? undefined : known(readings['disk.entries'])?.find((each) => each.path === below)
  const mounts = (known(readings['kernel.mounts']) ?? []).filter(
    ({mountPoint}) => belowRoot(snapshot)(mountPoint) === below && below !== undefined,
  )
  const driver = (known(readings['csi.drivers']) ?? []).find(({socket}) => socket === path)
  const registration = (known(readings['csi.registrations']) ?? []).find(({socket}) => socket === path)
  return [
    ...(entry === undefined
      ? []
      : [{source: 'disk.entries', fact: `it is ${entry.type === 'other' ? 'neither file nor directory' : `a ${entry.type}`}`}]),
    ...mounts.map(({fsType, source, device}) => ({source: 'kernel.mounts', fact: `${fsType} ${source} (${device}) is mounted there`})),
    ...(driver === undefined ? [] : [{source: 'csi.drivers', fact: answered(driver.name, driver.answer.state)}]),
    ...(registration === undefined ? [] : [{source: 'csi.registrations', fact: answered(registration.name, registration.answer.state)}]),
  ]
}

function answered(name: string | undefined, state: string): string {
  return name === undefined ? `its socket: ${state}` : `the socket of ${name}: ${state}`
}

function whatItIs(context: DetectContext, below: string | undefined, there: boolean): string {
  const {snapshot} = context
  const absent = there || known(snapshot.readings['disk.entries']) === undefined ? '' : ' and is not there'
  if (below === undefined) return `lies outside of the kubelet's root${there ? ', and is a socket of a driver' : ''}`
  if (below === '') return "is the kubelet's root"
  const volume = volumeAt(snapshot, below)
  const uid = volume?.podUid ?? /^pods\/([^/]+)/.exec(below)?.[1]
  const pods = podsHere(context)
  const whose = uid === undefined ? '' : ` of ${podName(pods, uid)}${pods.gone(uid) ? ', which is gone' : ''}`
  if (volume !== undefined) {
    const name = volume.specName ?? (volume.handle === undefined ? 'a volume' : `volume ${volume.handle}`)
    const by = volume.driver === undefined ? '' : ` of ${volume.driver}`
    const role = below.startsWith('plugins/') && volume.podUid === undefined ? 'is where' : 'belongs to'
    return role === 'is where' ? `is where ${name}${by} is staged${absent}` : `belongs to ${name}${by}${whose}${absent}`
  }
  if (uid !== undefined) return `belongs to the directory${whose}${absent}`
  return `lies below the kubelet's root, in ${onHost(snapshot, below.split('/')[0] ?? '')}${absent}`
}
