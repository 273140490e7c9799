// Containers that wait, each with the kubelet's own word for it, and when it tries again.
import {parseDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import type {ContainerState, Pod} from '../../node/pod.ts'
import type {Snapshot, SourceName} from '../../node/snapshot.ts'
import {unsaid} from '../pods/waiting-pods.ts'
import {shellWord} from '../shell-word.ts'
import type {Link, Reason} from './chain.ts'
import {eventEvidence, warningsOf} from './events.ts'

/** As it is, no further try can succeed. */
const hopeless: ReadonlySet<string> = new Set(['ErrImageNeverPull', 'InvalidImageName'])

export function containerReasons(snapshot: Snapshot, pod: Pod, source: SourceName): readonly Reason[] {
  return pod.containers.flatMap((container) =>
    container.state === 'waiting' && !unsaid.has(container.reason) ? [reasonOf(snapshot, pod, container, source)] : [],
  )
}

function reasonOf(snapshot: Snapshot, pod: Pod, container: ContainerState, source: SourceName): Reason {
  const {name, reason = '', message, last} = container
  const events = warningsOf(snapshot, pod, ['Failed', 'BackOff']).filter((event) => event.message.includes(name))
  const restarts =
    last?.exitCode === undefined ? [] : [`it last ended with ${last.exitCode}${last.reason === undefined ? '' : ` (${last.reason})`}`]
  const link: Link = {
    what: `Container ${name} waits: ${reason}${message === undefined ? '' : `, ${message}`}.`,
    ...(last?.finishedAt !== undefined && {since: formatInstant(last.finishedAt)}),
    evidence: [{source, fact: [`${name} is waiting with ${reason}`, ...restarts].join('; ')}, ...events.map(eventEvidence)],
  }
  return {
    links: [link],
    next: [nextTry(container)],
    remedy: [remedyFor(pod, container)],
    about: {container: name},
    overdue: hopeless.has(reason),
  }
}

/** kuberuntime_manager.go: the back-off of a crash counts from the end of the last container, 10 s doubled up to 5 min. */
function nextTry({reason, message, last}: ContainerState): string {
  const pause = /back-off (\w+) restarting/.exec(message ?? '')?.[1]
  if (pause !== undefined && last?.finishedAt !== undefined && /^(\d+(\.\d+)?(ms|s|m|h))+$/.test(pause))
    return `it starts the container again at the earliest at ${formatInstant(last.finishedAt + parseDuration(pause, 'the back-off'))}`
  // A container that was made and could not be run counts as one that crashed.
  if (reason === 'CrashLoopBackOff' || reason === 'RunContainerError')
    return 'it starts the container again when the back-off ends: 10s, doubled with each crash, 5m at most'
  if (reason === 'ImagePullBackOff' || reason === 'ErrImagePull')
    return 'it pulls the image again: after 10s, doubled with each failure, 5m at most'
  if (hopeless.has(reason ?? '')) return 'it looks again 10s to 15s after each error; it cannot succeed as it is'
  return 'it tries again with the next sync of the pod: 10s to 15s after an error, else 60s to 90s'
}

function remedyFor({namespace, name}: Pod, container: ContainerState): Reason['remedy'][number] {
  const of = `-n ${shellWord(namespace)}`
  if (container.reason === 'CrashLoopBackOff')
    return {
      command: `kubectl ${of} logs ${shellWord(name)} -c ${shellWord(container.name)} --previous`,
      why: 'what the container said before it ended',
      loses: null,
    }
  return {
    command: `kubectl ${of} describe pod ${shellWord(name)}`,
    why: 'the whole message, and what the container was told to be',
    loses: null,
  }
}
