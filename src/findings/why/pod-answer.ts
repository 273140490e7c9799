// Why a pod stands as it stands.
import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import type {Pod} from '../../node/pod.ts'
import type {DetectContext} from '../detector.ts'
import type {Finding, Subject} from '../finding.ts'
import type {KnownPod} from '../pods/waiting-pods.ts'
import {deadContainers} from '../runtime/dead-containers.ts'
import {buildChains} from './build-chains.ts'
import type {Answer, Link, Reason, Standing} from './chain.ts'
import {containerReasons} from './container-reasons.ts'
import {findingsOfPod} from './pod-findings.ts'
import {restartReasons} from './restart-reasons.ts'
import {startReasons} from './start-reasons.ts'
import {terminationReasons} from './termination.ts'

export function podAnswer(context: DetectContext, {pod, source}: KnownPod, findings: readonly Finding[]): Answer {
  const reasons = reasonsOf(context, pod, source)
  const troubled = pod.deletedAt !== undefined || pod.phase === 'Pending' || reasons.length > 0
  const about = findingsOfPod(context, pod, findings, troubled)
  const {chains, standing} = buildChains({symptom: [symptomOf(context, {pod, source})], reasons, findings: about, all: findings}, troubled)
  const {namespace, name, uid} = pod
  const subject: Subject = {kind: 'Pod', namespace, name, uid}
  return {subject, standing, summary: `${namespace}/${name} is ${word(pod)}: ${verdictOf(standing, troubled, chains.length)}.`, chains}
}

function verdictOf(standing: Standing, troubled: boolean, chains: number): string {
  switch (standing) {
    case 'well':
      return chains === 0 ? 'nothing that was seen is wrong with it' : 'what is told below may still end well'
    case 'waits':
      return 'it waits, as told below'
    case 'elsewhere':
      return 'the node has done its part'
    case 'stuck':
      return troubled ? 'it is stuck' : 'something is wrong with it'
    case 'unknown':
      return chains === 0 ? 'nothing that was seen says why' : 'nothing that was seen says why; something else is wrong with it'
    default:
      return standing satisfies never
  }
}

function reasonsOf(context: DetectContext, pod: Pod, source: KnownPod['source']): readonly Reason[] {
  const {snapshot} = context
  if (pod.deletedAt !== undefined) return terminationReasons(context, pod, pod.deletedAt, withoutProcess(context))
  return [...startReasons(context, pod, source), ...containerReasons(snapshot, pod, source), ...restartReasons(snapshot, pod, source)]
}

/** What the runtime calls running and is not. */
function withoutProcess(context: DetectContext): ReadonlySet<string> {
  const dead = [...deadContainers(context.snapshot).dead.values()]
  return new Set(dead.filter(({proof}) => proof === 'certain').map(({id}) => id))
}

function word(pod: Pod): string {
  if (pod.deletedAt !== undefined) return 'Terminating'
  return pod.phase ?? 'of no phase'
}

/** What a person sees who lists pods. */
function symptomOf({snapshot}: DetectContext, {pod, source}: KnownPod): Link {
  const {namespace, name, uid, deletedAt, graceMs, phase, createdAt} = pod
  const who = `${namespace}/${name}`
  const finalizers = pod.finalizers.length === 0 ? '' : `, finalizers ${pod.finalizers.join(', ')}`
  if (deletedAt !== undefined) {
    const asked = deletedAt - (graceMs ?? 0)
    const ago = snapshot.when - asked
    const when = ago < 0 ? `${formatDuration(ago)} from now, by this clock` : `${formatDuration(ago)} ago`
    return {
      what: `${who} is Terminating: it was deleted ${when}.`,
      since: formatInstant(asked),
      evidence: [
        {source, fact: `deletionTimestamp ${formatInstant(deletedAt)}${grace(graceMs)}, phase ${phase ?? 'none'}, UID ${uid}${finalizers}`},
      ],
    }
  }
  const created = createdAt === undefined ? {} : {since: formatInstant(createdAt)}
  return {
    what: `${who} is ${word(pod)}${pod.reason === undefined ? '' : ` (${pod.reason})`}.`,
    ...(phase === 'Pending' ? created : {}),
    evidence: [{source, fact: `phase ${phase ?? 'none'}, UID ${uid}`}],
  }
}

function grace(ms: number | undefined): string {
  return ms === undefined ? '' : `, which includes ${formatDuration(ms)} of grace`
}
