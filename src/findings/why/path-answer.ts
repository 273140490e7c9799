// Why a path is there, or is as it is: what it is to the kubelet, whose it is, and what was found about it.
import {posix} from 'node:path'
import {UserError} from '../../base/errors.ts'
import {belowRoot} from '../../node/below-root.ts'
import {nodeUid} from '../../node/pod.ts'
import {known} from '../../node/reading.ts'
import type {DetectContext} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {podsHere} from '../pods/pods-here.ts'
import {knownPods} from '../pods/waiting-pods.ts'
import {buildChains} from './build-chains.ts'
import type {Answer, Chain, Link, Standing} from './chain.ts'
import {evidenceAt, podOfPath, whatItIs} from './path-words.ts'
import {podAnswer} from './pod-answer.ts'

/** @throws UserError when nothing that was read has anything to do with the path. */
export function pathAnswer(context: DetectContext, asked: string, findings: readonly Finding[]): Answer {
  const {snapshot} = context
  const path = posix.normalize(asked)
  const below = belowRoot(snapshot)(path)
  const about = findings.filter((finding) => concerns(finding, path, snapshot.kubeletRoot))
  const seen = evidenceAt(context, path, below)
  if (below === undefined && seen.length === 0 && about.length === 0) {
    throw new UserError(
      `Cannot explain ${path} as it must lie below the kubelet's root ${snapshot.kubeletRoot}, or be a socket of a driver: it is neither`,
      {
        hint: '--kubelet-root names another root',
      },
    )
  }
  const symptom: Link = {what: `${path} ${whatItIs(context, below, seen.length > 0)}.`, evidence: seen}
  const {chains, standing} = explained(context, {symptom, below, about, findings})
  return {
    subject: {kind: 'Path', path},
    standing,
    summary: `${symptom.what.slice(0, -1)}: ${verdicts[standing]}.`,
    chains: chains.length > 0 ? chains : [{links: [symptom], next: [], remedy: []}],
  }
}

interface Place {
  readonly symptom: Link
  readonly below: string | undefined
  readonly about: readonly Finding[]
  readonly findings: readonly Finding[]
}

function explained(context: DetectContext, {symptom, below, about, findings}: Place): Pick<Answer, 'chains' | 'standing'> {
  if (about.length > 0) return buildChains({symptom: [symptom], reasons: [], findings: about, all: findings}, true)
  const uid = below === undefined ? undefined : podOfPath(context, below)
  const owner = uid === undefined ? undefined : (knownPods(context.snapshot) ?? []).find(({pod}) => nodeUid(pod) === uid)
  // What is in the directory of a pod that goes is there as long as the pod is.
  if (owner?.pod.deletedAt !== undefined) {
    const {chains, standing} = podAnswer(context, owner, findings)
    return {standing, chains: chains.map((chain): Chain => ({...chain, links: [symptom, ...chain.links]}))}
  }
  const unread = known(context.snapshot.readings['disk.entries']) === undefined && symptom.evidence.length === 0
  const untold = uid !== undefined && owner === undefined && podsHere(context).doubt !== undefined
  return {standing: unread || untold ? 'unknown' : 'well', chains: []}
}

const verdicts: Readonly<Record<Standing, string>> = {
  well: 'nothing was found about it',
  waits: 'what was found may still end well',
  elsewhere: 'the node has done its part for the pod',
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
