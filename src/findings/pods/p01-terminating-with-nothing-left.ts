// P01: a pod should be gone, nothing of it runs, and it stays.
import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import {known} from '../../node/reading.ts'
import {shortId} from '../../node/short-id.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {checkAgain} from '../check-again.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Evidence, Finding, Remedy, Severity} from '../finding.ts'
import {healingMs, justStarted} from '../healing.ts'
import {restartKubelet} from '../kubelet/kubelet-remedies.ts'
import {sandboxState} from '../runtime/sandbox-words.ts'
import {shellWord} from '../shell-word.ts'
import {blockerLabel, blockerOf, nextDespite} from './blockers.ts'
import {describeStates, podSubject, type SeenPod, strangeRuntime} from './pod-views.ts'
import {isLasting} from './refused-updates.ts'
import type {RuntimeRecord} from './runtime-records.ts'
import {type TerminatingPod, terminatingPods} from './terminating-pods.ts'
import {whyUnblocked} from './unblocked.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/76382',
  'https://github.com/kubernetes/kubernetes/pull/88440',
  'https://github.com/kubernetes/kubernetes/issues/108217',
  'https://github.com/kubernetes/kubernetes/issues/116954',
  'https://github.com/kubernetes/kubernetes/issues/92299',
]

export const terminatingWithNothingLeft: Detector = {
  code: 'P01',
  name: 'terminating-with-nothing-left',
  severities: [
    {
      severity: 'error',
      when: `it has been so for ${formatDuration(healingMs)} or longer, or the log shows that the kubelet refuses the status of the pod again and again`,
    },
    {
      severity: 'info',
      when: `it is younger than that or nothing tells its age, or the node or its kubelet started less than ${formatDuration(healingMs)} ago`,
    },
  ],
  graceMs: healingMs,
  sampleTwice: true,
  needs: () => [['kubelet.pods', 'api.pods'], ['runtime.containers']],
  cannotLook: ({snapshot}) => strangeRuntime(snapshot),
  last: true,
  helpedBy: ['kubelet.pods', 'api.pods', 'runtime.container-status', 'runtime.sandboxes', 'kubelet.log', 'disk.entries', 'disk.vol-data'],
  explain: {
    what:
      'The deletionTimestamp of a pod, which already includes its grace period, passed more than a minute ago, the runtime runs no container of it, ' +
      'and the pod is still there. The finding names what holds it: a volume, a driver, the runtime, or else the state of the kubelet itself.',
    how:
      'The kubelet removes a pod when its containers have ended and its volumes are unmounted: a volume whose record or driver is lost holds it for ' +
      'good. Before 1.18.2 (and 1.17.11) a container of a Never or OnFailure pod that could not start is taken for one that waits, once the runtime ' +
      'has dropped it; the kubelet refuses such a status as a whole, so that another container stays "running" that ended long ago.',
    lookAlikes: [
      'a long preStop hook or a container that ignores TERM: something still runs',
      "a pod that another controller's finalizer holds: the kubelet has done its part",
      'a mirror pod: it goes with the file of its static pod',
      'an unmount that is tried again: it may still succeed',
      'a node or a kubelet that has just started and takes up where it left off',
      'a pod of a node that does not answer',
    ],
    links,
  },
  detect: (context, others = []) => terminatingPods(context).map((pod) => finding(pod, context, others)),
}

function finding(terminating: TerminatingPod, context: DetectContext, others: readonly Finding[]): Finding {
  const {seen, deletedAt, since, ageMs} = terminating
  const {snapshot} = context
  const severity = severityOf(terminating, context)
  // A kubelet that refuses the status of a pod does not come to its volumes.
  const refuses = terminating.refused !== undefined && isLasting(terminating.refused, snapshot.when)
  const blocker = refuses ? undefined : blockerOf(seen.uid, context, others)
  const unblocked = whyUnblocked(terminating, context)
  const overdue = `${nameOf(seen)} should have been gone for ${formatDuration(snapshot.when - deletedAt)}, and nothing of it runs.`
  const verb = blocker?.severity === 'info' ? 'may hold' : 'holds'
  const why = blocker === undefined ? unblocked.why : `${blockerLabel(blocker)} ${verb} it.`
  return {
    code: 'P01',
    name: 'terminating-with-nothing-left',
    severity,
    subject: podSubject(seen),
    message: `${overdue} ${why}${ageMs === undefined ? ' Nothing tells since when nothing runs.' : ''}`,
    ...(since === undefined ? {} : {since: formatInstant(since)}),
    next: blocker === undefined ? unblocked.next : nextDespite(blocker),
    evidence: evidenceOf(terminating, context),
    cause: blocker === undefined ? null : {code: blocker.code, subject: blocker.subject},
    remedy: remediesFor(seen, severity, blocker, snapshot),
    links,
  }
}

function severityOf({refused, ageMs}: TerminatingPod, context: DetectContext): Severity {
  if (refused !== undefined && isLasting(refused, context.snapshot.when)) return 'error'
  return ageMs === undefined || ageMs < healingMs || justStarted(context) ? 'info' : 'error'
}

function evidenceOf({seen, deletedAt, records, refused}: TerminatingPod, {snapshot}: DetectContext): Evidence[] {
  const views = seen.views.map(({source, pod}) => ({
    source,
    fact: `deletion was due at ${formatInstant(deletedAt)}; phase ${pod.phase ?? 'unknown'}: ${describeStates(pod.containers)}${pod.finalizers.length === 0 ? '' : `; finalizers that hold the object besides: ${pod.finalizers.join(', ')}`}`,
  }))
  const sandboxes = (known(snapshot.readings['runtime.sandboxes']) ?? []).filter(({metadata}) => metadata?.uid === seen.uid)
  return [
    ...views,
    {source: 'runtime.containers', fact: records.length === 0 ? 'no container of the pod' : `${describeRecords(records)}: none runs`},
    ...(records.some(({standing}) => standing === 'processless')
      ? [
          {source: 'runtime.container-status', fact: 'the process of what is called running is gone'},
          {source: 'processes', fact: 'nothing else of it lives'},
        ]
      : []),
    ...sandboxes.map((sandbox) => ({
      source: 'runtime.sandboxes',
      fact: `sandbox ${shortId(sandbox.id)} is ${sandboxState(sandbox)}`,
    })),
    ...(refused === undefined
      ? []
      : [
          {
            source: 'kubelet.log',
            fact: `${refused.count} status updates refused for ${refused.container}, from ${formatInstant(refused.first)} to ${formatInstant(refused.last)}`,
          },
        ]),
  ]
}

function describeRecords(records: readonly RuntimeRecord[]): string {
  return records.map(({name, standing, exitCode}) => `${name} ${standing}${exitCode === undefined ? '' : ` (exit ${exitCode})`}`).join(', ')
}

function remediesFor({pod}: SeenPod, severity: Severity, blocker: Finding | undefined, snapshot: Snapshot): Remedy[] {
  const again = checkAgain('look again in ten minutes: it may still go by itself')
  // What holds it has a finding of its own, whose steps are not for a pod that may still go.
  if (severity === 'info') return blocker?.severity === 'info' ? [...blocker.remedy] : [again]
  const restart = restartKubelet(snapshot, 'a kubelet that starts asks the runtime anew and ends the pod')
  const force: Remedy = {
    command: `kubectl delete pod -n ${shellWord(pod.namespace)} ${shellWord(pod.name)} --grace-period=0 --force`,
    why: 'the last resort: only the object goes, and what is left on the node stays',
    loses:
      'the proof that nothing of the pod writes any more: a StatefulSet starts its successor at once, and a ReadWriteOnce volume may get two writers',
  }
  return [...(blocker === undefined ? [restart] : blocker.remedy), force]
}

function nameOf({pod}: SeenPod): string {
  return `${pod.namespace}/${pod.name}`
}
