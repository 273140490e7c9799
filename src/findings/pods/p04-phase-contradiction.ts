// P04: what is said of the end of a pod cannot all be true.
import {formatInstant} from '../../base/instant.ts'
import type {Detector} from '../detector.ts'
import type {Evidence, Finding} from '../finding.ts'
import {severities} from '../finding.ts'
import {askOwner} from './ask-owner.ts'
import {type Contradiction, contradictionsOf} from './contradictions.ts'
import {podSubject, type SeenPod, seenPods, statusLagMs} from './pod-views.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/58711',
  'https://github.com/kubernetes/kubernetes/issues/90636',
  'https://github.com/kubernetes/kubernetes/issues/125410',
  'https://github.com/kubernetes/kubernetes/pull/88440',
]

export const phaseContradiction: Detector = {
  code: 'P04',
  name: 'phase-contradiction',
  severities: [
    {
      severity: 'error',
      when: 'a pod is Succeeded and a container of it failed, or a container is said to have ended and runs, or with another exit code than the runtime has',
    },
    {
      severity: 'warning',
      when: 'a pod has ended and a container of it runs on after its grace, or the kubelet and the API server differ in how it ended',
    },
    {severity: 'info', when: 'a pod has ended and a container of it runs, perhaps within its grace'},
  ],
  graceMs: statusLagMs,
  sampleTwice: true,
  needs: () => [['kubelet.pods', 'api.pods']],
  helpedBy: ['kubelet.pods', 'api.pods', 'runtime.containers', 'runtime.container-status'],
  explain: {
    what:
      'The phase of a pod, the states of its containers, the runtime and the API server tell of its end in ways that exclude each other: Succeeded ' +
      'with a container that failed, ended with a process that runs. What counts pods by their phase, as Jobs do, counts wrong or starts a second writer.',
    how:
      'Kubelets before 1.18.2 (and 1.17.11) write over how containers ended when a pod is deleted, also of those that still run, and compute the phase ' +
      'from that. Later ones can lose an end that the runtime no longer lists when they look.',
    lookAlikes: [
      'a pod that was evicted, or whose deadline passed: Failed although every container ended well, and running on for its grace',
      'restartPolicy OnFailure: a failure before the last end does not count',
      'a sidecar or an init container: a signal ends it, and the phase does not depend on it',
      'a container with a restart rule of its own, which may take a failure for a success',
      'every container terminated while the phase is Running, for a short time',
      'a pod that has ended and whose volumes are being unmounted',
      'an API server that hears of an end some seconds late',
      'a made-up end: P03 tells of it, and is the cause',
    ],
    links,
  },
  detect: ({snapshot}) =>
    seenPods(snapshot).flatMap((seen) => {
      const found = contradictionsOf(seen, snapshot)
      return found.length === 0 ? [] : [finding(seen, found)]
    }),
}

function finding(seen: SeenPod, found: readonly Contradiction[]): Finding {
  const {namespace, name} = seen.pod
  const worst = found.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  const since = worst[0]?.since
  const madeUp = found.find((each) => each.madeUp !== undefined)?.madeUp
  return {
    code: 'P04',
    name: 'phase-contradiction',
    severity: worst[0]?.severity ?? 'info',
    subject: podSubject(seen),
    message: `${namespace}/${name}: ${[...new Set(worst.map(({what}) => what))].join('; ')}.`,
    ...(since === undefined ? {} : {since: formatInstant(since)}),
    next: 'The kubelet writes another status only when it sees a container change, and a phase that is terminal stays.',
    evidence: unique(worst.flatMap(({evidence}) => evidence)),
    cause: madeUp === undefined ? null : {code: 'P03', subject: madeUp},
    remedy: [
      askOwner(
        seen.pod,
        'what owns the pod may have counted its end: decide whether its work has to be done again, and whether two of it may run',
      ),
    ],
    links,
  }
}

function unique(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((each) => [`${each.source} ${each.fact}`, each])).values()]
}
