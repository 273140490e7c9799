// What a pod that is being deleted still waits for, in the order of the kubelet: containers, volumes, and last whoever holds the object.
import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import type {Pod} from '../../node/pod.ts'
import {whole} from '../../node/reading.ts'
import {shortId} from '../../node/short-id.ts'
import type {DetectContext} from '../detector.ts'
import type {Remedy} from '../finding.ts'
import {healingMs} from '../healing.ts'
import {podPresence} from '../pods/pod-presence.ts'
import {waitsForVolumes} from '../pods/waiting-pods.ts'
import {crictl} from '../runtime/crictl.ts'
import {shellWord} from '../shell-word.ts'
import type {Link, Reason} from './chain.ts'
import {unpublishReasons} from './volume-reasons.ts'
import {workerWord} from './worker-word.ts'

/** remote_runtime.go: StopContainer is given the grace and the runtime's usual two minutes. */
const stopMs = 120_000

/** @param dead ids of containers that the runtime calls running and that have no process. */
export function terminationReasons(context: DetectContext, pod: Pod, deletedAt: number, dead: ReadonlySet<string>): readonly Reason[] {
  if (pod.staticUid !== undefined) return [mirrorReason(context, pod)]
  const running = podPresence(context.snapshot)
    .running(pod.uid)
    .filter(({id}) => !dead.has(id))
  if (running.length > 0) return [runningReason(context, pod, deletedAt, running)]
  const started = !waitsForVolumes(pod)
  const worker = started ? [] : [workerLink(context, pod)]
  const volumes = unpublishReasons(context, pod.uid, deletedAt, started).map((reason) => ({...reason, links: [...worker, ...reason.links]}))
  if (volumes.length > 0) return volumes
  if (worker.length > 0 && pod.volumes.some(({claim, driver}) => claim !== undefined || driver !== undefined))
    return [{links: worker, next: [waitEnds], remedy: [], about: {volumesOf: pod.uid}}]
  return pod.finalizers.length > 0 ? [finalizerReason(context, pod, deletedAt)] : []
}

/** volume_manager.go, WaitForAttachAndMount: a pod's worker does nothing else meanwhile. */
const waitEnds = 'its worker waits for the volumes for 2m 3s at most, and then turns to the deletion'

function workerLink({snapshot}: DetectContext, pod: Pod): Link {
  const word = workerWord(snapshot, pod.uid)
  return {
    what: 'No container of it was started: its worker waits for the volumes first, and turns to the deletion when that has ended.',
    ...(word?.at !== undefined && {since: formatInstant(word.at)}),
    evidence: [
      {source: podPresence(snapshot).sourceOf(pod.uid) ?? 'kubelet.pods', fact: 'none of its containers was made'},
      ...(word === undefined ? [] : [{source: 'kubelet.log', fact: `its worker's last word: ${word.message}`}]),
    ],
  }
}

function runningReason(
  {snapshot}: DetectContext,
  pod: Pod,
  deletedAt: number,
  running: readonly {readonly id: string; readonly metadata?: {readonly name: string} | undefined}[],
): Reason {
  const names = running.map(({metadata}) => metadata?.name ?? '?').join(', ')
  const over = snapshot.when - deletedAt
  const begun = formatInstant(deletedAt - (pod.graceMs ?? 0))
  const evidence = running.map(({id, metadata}) => ({
    source: 'runtime.containers',
    fact: `${metadata?.name ?? '?'} (${shortId(id)}) is RUNNING`,
  }))
  if (over < 0)
    return {
      links: [
        {
          what: `Its containers (${names}) were told to end and may take their grace period${pod.graceMs === undefined ? '' : ` of ${formatDuration(pod.graceMs)}`}.`,
          since: begun,
          evidence,
        },
      ],
      next: [`it has them killed at ${formatInstant(deletedAt)}`],
      remedy: [],
      about: {},
    }
  const [first] = running
  return {
    links: [
      {
        what: `Its containers (${names}) run, although their grace period ended ${formatDuration(over)} ago.`,
        since: formatInstant(deletedAt),
        evidence,
      },
    ],
    next: [
      over < stopMs
        ? `it gives up waiting for StopContainer at ${formatInstant(deletedAt + stopMs)}, and tries again 10s to 15s later`
        : 'it tries StopContainer again: each try may take the grace period and 2m, with 10s to 15s between two',
    ],
    remedy: [
      {
        command: `${crictl(snapshot)} inspect ${shellWord(first?.id ?? 'ID')}`,
        why: 'its pid: a process in state D waits in the kernel',
        loses: null,
      },
    ],
    about: {},
    overdue: over > healingMs,
  }
}

/** The kubelet makes it anew as long as the file is there (pod_workers.go, mirror pods). */
function mirrorReason({snapshot}: DetectContext, pod: Pod): Reason {
  const source = podPresence(snapshot).sourceOf(pod.uid) ?? 'api.pods'
  const link: Link = {
    what: 'It is the mirror of a static pod: it comes and goes with the manifest of that pod on the node, and deleting it ends nothing.',
    evidence: [{source, fact: `kubernetes.io/config.mirror or config.hash: ${pod.staticUid}`}],
  }
  return {links: [link], next: ['it makes the mirror anew as long as the manifest is there'], remedy: [], about: {}, elsewhere: true}
}

function finalizerReason({snapshot}: DetectContext, pod: Pod, deletedAt: number): Reason {
  const [list, has] = pod.finalizers.length === 1 ? ['finalizer', 'has'] : ['finalizers', 'have']
  const {namespace, name} = pod
  const runtime =
    whole(snapshot.readings['runtime.containers']) === undefined ? [] : [{source: 'runtime.containers', fact: 'no container of it runs'}]
  const source = podPresence(snapshot).sourceOf(pod.uid) ?? 'kubelet.pods'
  const look: Remedy = {
    command: `kubectl -n ${shellWord(namespace)} get pod ${shellWord(name)} -o jsonpath='{.metadata.finalizers}'`,
    why: `the ${list} ${has} a controller that must take it away: see whether that controller runs, and its log`,
    loses: null,
  }
  const patch: Remedy = {
    command: `kubectl -n ${shellWord(namespace)} patch pod ${shellWord(name)} --type=merge -p '{"metadata":{"finalizers":null}}'`,
    why: 'only when that controller is gone for good',
    loses: `what the ${list} ${pod.finalizers.length === 1 ? 'stands' : 'stand'} for: the clean-up that was to come first`,
  }
  return {
    links: [
      {
        what: `The object waits for its ${list} ${pod.finalizers.join(', ')}: this is not the node's doing, which has nothing of the pod left.`,
        since: formatInstant(deletedAt),
        evidence: [{source, fact: `metadata.finalizers: ${pod.finalizers.join(', ')}`}, ...runtime],
      },
    ],
    next: ['nothing: the API server removes the object when the last finalizer goes'],
    remedy: [look, patch],
    about: {},
    elsewhere: true,
  }
}
