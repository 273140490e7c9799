// R02: sandboxes of a pod that nobody has any more, or that a newer one has replaced, are left at the runtime.
import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import type {PodSandbox} from '../../wire/gen/cri_pb.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Evidence, Finding, Severity} from '../finding.ts'
import {labelledPod} from './kubelets-own.ts'
import {networkTrouble} from './network-trouble.ts'
import {replacedSandboxes} from './replaced-sandboxes.ts'
import {lookAgain, removeSandboxes} from './sandbox-remedies.ts'
import {isReady, sandboxState} from './sandbox-words.ts'
import {listDoubt, podWords, uidDoubt, unownedPods, unownedSubject} from './unowned-pods.ts'

/** Ten rounds of the kubelet's garbage collection. */
const leakMs = 600_000
/** Sandboxes named in the evidence; the rest are counted. */
const mostNamed = 10

const links = [
  'https://github.com/containerd/containerd/issues/7988',
  'https://github.com/containerd/containerd/issues/10865',
  'https://github.com/containerd/containerd/issues/6565',
  'https://github.com/kubernetes/kubernetes/issues/115252',
]

export const leakedSandbox: Detector = {
  code: 'R02',
  name: 'leaked-sandbox',
  severities: [
    {severity: 'error', when: `a sandbox is READY, and has been nobody's or replaced for more than ${formatDuration(leakMs)}`},
    {severity: 'warning', when: `none is READY, and they have been nobody's or replaced for more than ${formatDuration(leakMs)}`},
    {severity: 'info', when: 'it is younger than that, nothing tells its age, or the kubelet may have started less than 2m ago'},
  ],
  graceMs: leakMs,
  sampleTwice: true,
  needs: () => [['kubelet.pods'], ['runtime.sandboxes']],
  cannotLook: listDoubt,
  besides: uidDoubt,
  helpedBy: ['runtime.containers', 'api.pods', 'kubelet.log', 'disk.entries', 'api.events', 'runtime.answers'],
  explain: {
    what:
      'The container runtime has sandboxes of a pod that neither the kubelet nor the API server has any more, or older ones of a pod that has a newer one. ' +
      'They keep network namespaces, addresses and shims.',
    how:
      'Once a minute the kubelet removes what is left of pods that are gone and all but the newest sandbox of the others. It does not succeed where the ' +
      'network plugin cannot take down the network, the runtime says that it removed what it did not, or a record is all that is left (the checkpoints of ' +
      'dockershim and cri-dockerd, the metadata of containerd).',
    lookAlikes: [
      'a pod that was deleted a moment ago: the kubelet has up to a minute, and more when it retries',
      'a completed pod: it keeps its newest sandbox, which is not ready',
      'an older sandbox whose containers have ended: it stays as long as the kubelet keeps them for their logs',
      'a kubelet that has just started: its list lacks pods that do run',
      'a sandbox that crictl or another program made: it has not the labels of the kubelet',
      'a static pod: its mirror at the API server has another UID',
    ],
    links,
  },
  detect: ({snapshot}) => [...ofUnowned(snapshot), ...ofReplaced(snapshot)],
}

function ofUnowned(snapshot: DetectContext['snapshot']): Finding[] {
  return unownedPods(snapshot).flatMap((pod): Finding[] => {
    const {uid, sandboxes, since, goneForMs, running} = pod
    if (sandboxes.length === 0) return []
    const be = sandboxes.length === 1 ? 'is' : 'are'
    return [
      {
        ...finding(snapshot, uid, sandboxes, goneForMs),
        subject: unownedSubject(pod),
        message: `${counted(sandboxes)} of the pod ${podWords(pod)}, which nobody has any more, ${be} left at the container runtime.${waits(goneForMs, since?.at)}`,
        ...(since && {since: formatInstant(since.at)}),
        next: sandboxes.some(isReady)
          ? 'The kubelet stops pods that it does not have every two seconds, once it has heard from all of its sources.'
          : 'The kubelet tries to remove what is left of pods that are gone once a minute (garbage collection).',
        evidence: [...sandboxEvidence(sandboxes), ...pod.evidence, ...networkEvidence(snapshot, uid, sandboxes)],
        cause: running.length === 0 ? null : {code: 'R03', subject: unownedSubject(pod)},
      },
    ]
  })
}

function ofReplaced(snapshot: DetectContext['snapshot']): Finding[] {
  return replacedSandboxes(snapshot).map(({uid, sandboxes, at, forMs, evidence}): Finding => {
    const pod = {uid, namespace: undefined, name: undefined, ...sandboxes.map(labelledPod).find(({name}) => name !== undefined)}
    const be = sandboxes.length === 1 ? 'is' : 'are'
    return {
      ...finding(snapshot, uid, sandboxes, forMs),
      subject: unownedSubject(pod),
      message: `${counted(sandboxes)} of the pod ${podWords(pod)} ${be} left although a newer one took the place, and no container is in it.${waits(forMs, at)}`,
      since: formatInstant(at),
      next: 'The kubelet tries to remove all but the newest of a pod once a minute (garbage collection).',
      evidence: [...sandboxEvidence(sandboxes), ...evidence, ...networkEvidence(snapshot, uid, sandboxes)],
      cause: null,
    }
  })
}

/** What both have in common. */
function finding(snapshot: DetectContext['snapshot'], uid: string, sandboxes: readonly PodSandbox[], ageMs: number | undefined) {
  const severity = severityOf(sandboxes, ageMs)
  const remedy =
    severity === 'info' ? [lookAgain] : removeSandboxes(snapshot, sandboxes, networkEvidence(snapshot, uid, sandboxes).length > 0)
  return {code: 'R02', name: 'leaked-sandbox', severity, remedy, links}
}

function networkEvidence(snapshot: DetectContext['snapshot'], uid: string, sandboxes: readonly PodSandbox[]): Evidence[] {
  const said = networkTrouble(snapshot, [uid, ...sandboxes.map(({id}) => id)])
  return said === undefined ? [] : [said]
}

function severityOf(sandboxes: readonly PodSandbox[], ageMs: number | undefined): Severity {
  if (ageMs === undefined || ageMs < leakMs) return 'info'
  return sandboxes.some(isReady) ? 'error' : 'warning'
}

function waits(ageMs: number | undefined, since: number | undefined): string {
  if (since === undefined) return ' Nothing tells since when.'
  if (ageMs === undefined) return ' The kubelet may have started a moment ago and may still remove it.'
  return ageMs < leakMs ? ' The kubelet may still remove it.' : ''
}

/** 'A sandbox (READY)', '3 sandboxes (2 READY)'. */
function counted(sandboxes: readonly PodSandbox[]): string {
  const ready = sandboxes.filter(isReady).length
  const how = ready === 0 ? '' : sandboxes.length === 1 ? ' (READY)' : ` (${ready} READY)`
  return `${sandboxes.length === 1 ? 'A sandbox' : `${sandboxes.length} sandboxes`}${how}`
}

function sandboxEvidence(sandboxes: readonly PodSandbox[]): Evidence[] {
  const named = sandboxes.slice(0, mostNamed).map((each) => `${each.id} (${sandboxState(each)}, attempt ${each.metadata?.attempt ?? 0})`)
  const more = sandboxes.length > mostNamed ? ` and ${sandboxes.length - mostNamed} more` : ''
  return [{source: 'runtime.sandboxes', fact: `${named.join(', ')}${more}`}]
}
