// R10: moments that cannot be: unset, in another unit, in the future, or in the wrong order.
import {formatDuration} from '../../base/duration.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding, Remedy} from '../finding.ts'
import {restartKubelet} from '../kubelet/kubelet-remedies.ts'
import {shellWord} from '../shell-word.ts'
import {containerWords} from './container-subject.ts'
import {crictl} from './crictl.ts'
import {futureMs} from './impossible-time.ts'
import {type TimeProblems, timeProblems} from './time-problems.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/127948',
  'https://github.com/containerd/containerd/issues/3873',
  'https://github.com/kubernetes/kubernetes/issues/134153',
  'https://github.com/kubernetes/kubernetes/issues/92368',
]

export const timestampsImpossible: Detector = {
  code: 'R10',
  name: 'timestamps-impossible',
  severities: [
    {severity: 'error', when: 'the last sandbox of a pod is older than one before it: the kubelet takes the wrong one for the newest'},
    {severity: 'warning', when: 'any other moment cannot be'},
  ],
  graceMs: 0,
  needs: () => [['runtime.containers'], ['runtime.sandboxes']],
  helpedBy: ['runtime.container-status', 'kubelet.pods', 'api.pods', 'kernel.boot'],
  explain: {
    what:
      `A moment that the runtime, the kubelet or the kernel tells is 0, negative, in seconds, more than ${formatDuration(futureMs)} in the future, ` +
      'or out of order: a later attempt that is older than one before it, a deletion before the creation.',
    how:
      'The clock was set while containers ran: a node without a clock of its own starts in 1970, or a time server took it back. The kubelet sorts ' +
      'sandboxes and containers by their times; where the newest is not the latest it makes an attempt that is there already, and the runtime ' +
      'refuses the name. Runtimes that lose a state tell 0, and the kubelet then refuses the whole status.',
    lookAlikes: [
      'a container that was only created: it has no start, and no end',
      'a running container: its end is 0, or the zero of the year 1, which prints as 1754',
      'a container that never started: containerd 1.6 tells 1970-01-01 for its start',
      'attempts that begin anew in a new sandbox',
    ],
    links,
  },
  detect: (context) => timeProblems(context.snapshot).map((each) => finding(context, each)),
}

function finding({snapshot}: DetectContext, {subject, severity, problems, evidence, wrongNewest}: TimeProblems): Finding {
  const next = nextOf(subject.kind, wrongNewest !== undefined)
  return {
    code: 'R10',
    name: 'timestamps-impossible',
    severity,
    subject,
    message: `Times of ${nameOf(subject)} cannot be: ${problems.join('; ')}.`,
    ...(next !== undefined && {next}),
    evidence,
    cause: null,
    remedy: [
      {
        command: 'timedatectl; systemctl list-dependencies --after kubelet | grep time-sync',
        why: 'is the clock right, and does the kubelet wait for it (After=time-sync.target)?',
        loses: null,
      },
      ...(wrongNewest === undefined ? [] : removeSandbox(snapshot, wrongNewest.id)),
    ],
    links,
  }
}

function nameOf(subject: TimeProblems['subject']): string {
  if (subject.kind === 'Container') return containerWords(subject)
  if (subject.kind === 'Path') return 'the node'
  return subject.name === undefined ? `sandbox ${subject.id ?? subject.uid}` : `pod ${subject.namespace ?? ''}/${subject.name}`
}

function nextOf(kind: TimeProblems['subject']['kind'], wrongNewest: boolean): string | undefined {
  if (wrongNewest)
    return 'Whenever the pod needs a new sandbox the kubelet makes one whose name is taken, and tries again 10s to 15s later.'
  return kind === 'Container'
    ? 'The kubelet asks again at each relist that looks at the pod; a status without createdAt it refuses, and the pod is not synchronized.'
    : undefined
}

/** Without -f the runtime refuses it while it is ready. */
function removeSandbox(snapshot: Snapshot, id: string): Remedy[] {
  return [
    {
      command: `${crictl(snapshot)} rmp ${shellWord(id)}`,
      why: 'the one that looks newest and is not: without it the kubelet sees the right one',
      loses: 'what is left of the containers in it',
    },
    restartKubelet(snapshot, 'it lists the sandboxes anew'),
  ]
}
