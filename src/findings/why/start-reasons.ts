// What a pod that has not started yet waits for: a node, its volumes, its sandbox, its init containers.
import {formatInstant} from '../../base/instant.ts'
import type {Pod} from '../../node/pod.ts'
import type {SourceName} from '../../node/snapshot.ts'
import type {DetectContext} from '../detector.ts'
import {waitsForVolumes} from '../pods/waiting-pods.ts'
import type {Link, Reason} from './chain.ts'
import {eventEvidence, warningsOf} from './events.ts'
import {mountReasons} from './mount-reasons.ts'
import {sandboxReasons} from './sandbox-reasons.ts'

export function startReasons(context: DetectContext, pod: Pod, source: SourceName): readonly Reason[] {
  if (pod.phase !== 'Pending') return []
  if (source === 'api.pods' && pod.nodeName === undefined) return [unscheduled(context, pod, source)]
  if (!waitsForVolumes(pod)) return initReasons(pod, source)
  const mounts = mountReasons(context, pod, source)
  return mounts.length > 0 ? mounts : sandboxReasons(context, pod)
}

function unscheduled({snapshot}: DetectContext, pod: Pod, source: SourceName): Reason {
  const events = warningsOf(snapshot, pod, ['FailedScheduling'])
  const link: Link = {
    what: 'No node was found for it yet: that is for the scheduler to do.',
    ...(pod.createdAt !== undefined && {since: formatInstant(pod.createdAt)}),
    evidence: [{source, fact: 'it has no node'}, ...events.map(eventEvidence)],
  }
  return {links: [link], next: [], remedy: [], about: {}, elsewhere: true}
}

function initReasons(pod: Pod, source: SourceName): readonly Reason[] {
  const running = pod.containers.find(({kind, state}) => kind === 'init' && state === 'running')
  if (running === undefined) return []
  const link: Link = {
    what: `Its init container ${running.name} runs: the others start when it has ended.`,
    ...(running.startedAt !== undefined && {since: formatInstant(running.startedAt)}),
    evidence: [{source, fact: `${running.name} is running`}],
  }
  return [{links: [link], next: [], remedy: [], about: {container: running.name}}]
}
