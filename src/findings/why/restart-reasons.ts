// Containers that have ended and are to be started again. The workers of 1.36 and 1.37 sleep until the back-off is over (those of 1.29 do not),
// so that for most of it the status says terminated, and not CrashLoopBackOff.
import {formatInstant} from '../../base/instant.ts'
import type {ContainerState, Pod} from '../../node/pod.ts'
import type {Snapshot, SourceName} from '../../node/snapshot.ts'
import {shellWord} from '../shell-word.ts'
import type {Link, Reason} from './chain.ts'
import {eventEvidence, warningsOf} from './events.ts'

export function restartReasons(snapshot: Snapshot, pod: Pod, source: SourceName): readonly Reason[] {
  if (pod.phase !== 'Running' && pod.phase !== 'Pending') return []
  return pod.containers.flatMap((container) => (startsAgain(pod, container) ? [reasonOf(snapshot, pod, container, source)] : []))
}

/** kuberuntime's ShouldContainerBeRestarted, and findNextInitContainerToRun for those before. Rules of a container's own are not looked at. */
function startsAgain({restartPolicy = 'Always', ownRestarts = []}: Pod, {name, kind, state, exitCode}: ContainerState): boolean {
  if (state !== 'terminated' || exitCode === undefined || restartPolicy === 'Never' || ownRestarts.includes(name)) return false
  if (kind === 'regular') return restartPolicy === 'Always' || exitCode !== 0
  return kind === 'init' && exitCode !== 0
}

function reasonOf(snapshot: Snapshot, pod: Pod, container: ContainerState, source: SourceName): Reason {
  const {name, exitCode, reason, finishedAt, restarts} = container
  const {namespace} = pod
  const how = `${exitCode}${reason === undefined ? '' : ` (${reason})`}`
  const events = warningsOf(snapshot, pod, ['BackOff']).filter((event) => event.message.includes(name))
  const link: Link = {
    what: `Container ${name} has ended with ${how} and is to be started again.`,
    ...(finishedAt !== undefined && {since: formatInstant(finishedAt)}),
    evidence: [
      {source, fact: `${name} is terminated with ${how}${restarts === undefined ? '' : `; restarts: ${restarts}`}`},
      ...events.map(eventEvidence),
    ],
  }
  return {
    links: [link],
    next: [
      'it starts the container again: at once if it has not ended before, else when the back-off ends: 10s, doubled with each crash, 5m at most',
    ],
    remedy: [
      {
        command: `kubectl -n ${shellWord(namespace)} logs ${shellWord(pod.name)} -c ${shellWord(name)}`,
        why: 'what the container said before it ended',
        loses: null,
      },
    ],
    about: {container: name},
  }
}
