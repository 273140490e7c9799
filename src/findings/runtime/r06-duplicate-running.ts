// R06: the same container of one pod runs twice.
import {capitalised} from '../../base/capitalised.ts'
import {formatInstant} from '../../base/instant.ts'
import {shortId} from '../../node/short-id.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Container} from '../../wire/gen/cri_pb.ts'
import {checkAgain} from '../check-again.ts'
import type {Detector} from '../detector.ts'
import type {Finding, Remedy, Subject} from '../finding.ts'
import {containerWords} from './container-subject.ts'
import {crictl, someIds} from './crictl.ts'
import {containerName, labelledPod} from './kubelets-own.ts'
import {livingContainers, livingSources} from './living-containers.ts'
import {unownedPods, unownedSubject} from './unowned-pods.ts'

/** The runtime may list one that is just being stopped beside the one that takes its place. */
const handoverMs = 60_000

const links = [
  'https://github.com/kubernetes/kubernetes/issues/98520',
  'https://github.com/containerd/containerd/issues/3873',
  'https://github.com/kubernetes/kubernetes/issues/83705',
]

export const duplicateRunning: Detector = {
  code: 'R06',
  name: 'duplicate-running',
  severities: [
    {severity: 'critical', when: 'both have run for a minute and more'},
    {severity: 'info', when: 'the younger one has started less than a minute ago, or nothing tells when'},
  ],
  graceMs: handoverMs,
  sampleTwice: true,
  needs: () => [['runtime.containers'], livingSources],
  helpedBy: [...livingSources, 'runtime.answers'],
  explain: {
    what: "Two containers with the same name in the same pod run side by side. Both have the pod's volumes, and both write to them.",
    how:
      'The runtime told the kubelet that the first one is gone, unknown or has ended, the kubelet started another, and the first one ran on or came back with a ' +
      'restart of the runtime. The kubelet looks at the newest only and never stops the other.',
    lookAlikes: [
      'two pods of the same name, one after the other: they have different UIDs',
      'init, ephemeral and sidecar containers: they have names of their own',
      'a container that is replaced at this moment',
      'a record without a process: that is R08, and nothing runs twice',
      'an id that a list has twice',
    ],
    links,
  },
  detect: ({snapshot}) =>
    [...livingContainers(snapshot).byPod].flatMap(([podUid, containers]) =>
      [...Map.groupBy(containers, containerName)].flatMap(([name, same]) =>
        name === '' || same.length < 2 ? [] : [finding(snapshot, podUid, name, same)],
      ),
    ),
}

function finding(snapshot: Snapshot, podUid: string, name: string, same: readonly Container[]): Finding {
  const {startedAt, evidence} = livingContainers(snapshot)
  // The newest attempt is the one that the kubelet looks at.
  const sorted = same.toSorted((a, b) => (a.metadata?.attempt ?? 0) - (b.metadata?.attempt ?? 0) || compare(a.createdAt, b.createdAt))
  const starts = sorted.map(startedAt)
  const since = starts.at(-1) === undefined ? undefined : Math.max(...starts.flatMap((each) => each ?? []))
  const older = sorted.slice(0, -1).map(({id}) => id)
  const {namespace, name: pod} = sorted.map(labelledPod).find((each) => each.name !== undefined) ?? {}
  // Who stops what runs of a pod that is nobody's ends both.
  const nobodys = unownedPods(snapshot).find(({uid}) => uid === podUid)
  const grave = since !== undefined && snapshot.when - since >= handoverMs
  const subject: Subject = {kind: 'Container', ...(namespace && {namespace}), name, ...(pod && {pod}), podUid}
  return {
    code: 'R06',
    name: 'duplicate-running',
    severity: grave ? 'critical' : 'info',
    subject,
    message: `${capitalised(containerWords(subject))} runs ${same.length} times: ${sorted.map(described).join(', ')}.${grave ? '' : ' It may be a handover.'}`,
    ...(since !== undefined && {since: formatInstant(since)}),
    next: 'Nothing: the kubelet looks at the newest record only and leaves the other running until the pod is deleted.',
    evidence: sorted.flatMap(evidence),
    cause: nobodys === undefined ? null : {code: 'R03', subject: unownedSubject(nobodys)},
    remedy: grave ? stopOlder(snapshot, older) : [checkAgain('look again in a minute')],
    links,
  }
}

function stopOlder(snapshot: Snapshot, older: readonly string[]): Remedy[] {
  const call = crictl(snapshot)
  return [
    {command: `${call} inspect ${someIds(older)}`, why: 'see which of them serves and which has the newer data', loses: null},
    {
      command: `${call} stop --timeout 30 ${someIds(older)}`,
      why: 'ends the lower attempt, which the kubelet does not look at',
      loses: 'what it has not written by then',
    },
  ]
}

function described({id, metadata}: Container): string {
  return `${shortId(id)} (attempt ${metadata?.attempt ?? 0})`
}

function compare(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1
}
