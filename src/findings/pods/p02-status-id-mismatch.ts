// P02: the status of a container names another container than the runtime runs.
import {capitalised} from '../../base/capitalised.ts'
import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import {shortId} from '../../node/short-id.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {checkAgain} from '../check-again.ts'
import type {Detector} from '../detector.ts'
import type {Evidence, Finding} from '../finding.ts'
import {restartKubelet} from '../kubelet/kubelet-remedies.ts'
import {containerWords} from '../runtime/container-subject.ts'
import {type IdMismatch, idMismatches, type MismatchView, youngMs} from './id-mismatches.ts'
import {containerSubject, strangeRuntime, whoSays} from './pod-views.ts'

const links = [
  'https://github.com/cri-o/cri-o/issues/4693',
  'https://github.com/kubernetes/kubernetes/issues/134153',
  'https://github.com/kubernetes/kubernetes/issues/75065',
]

export const statusIdMismatch: Detector = {
  code: 'P02',
  name: 'status-id-mismatch',
  severities: [
    {severity: 'warning', when: `it has been so for ${formatDuration(youngMs)} or longer`},
    {severity: 'info', when: 'it is younger than that, or the kubelet is busy with another container of the pod or has just started'},
  ],
  graceMs: youngMs,
  sampleTwice: true,
  needs: () => [['kubelet.pods', 'api.pods'], ['runtime.containers']],
  cannotLook: ({snapshot}) => strangeRuntime(snapshot),
  helpedBy: ['kubelet.pods', 'api.pods', 'runtime.container-status', 'runtime.sandboxes'],
  explain: {
    what:
      'The status of a pod says that a container runs, and the runtime does not list it, or lists it as ended, or runs another one in its place; or ' +
      'the status says that it has ended and the runtime still runs it.',
    how:
      'The kubelet keeps a status that it can no longer renew: its worker for the pod hangs, a removed record made its inspection fail, or clocks ' +
      'that were set back made it take an old container for the newest.',
    lookAlikes: [
      'a restart in progress: the lists were not read at the same moment',
      'an ended container whose record was removed: its status keeps an id that nobody knows any more',
      'a kubelet that pulls an image or runs a postStart hook for another container of the pod: it writes no status meanwhile',
      'a status without an id, such as docker:// with nothing behind it',
      'an ephemeral container',
      'a pod that is being deleted: P01; one that has ended: P04',
      'a second runtime on the node, which knows none of the pods',
    ],
    links,
  },
  detect: (context) => idMismatches(context).flatMap((each) => finding(each, context.snapshot)),
}

function finding(mismatch: IdMismatch, snapshot: Snapshot): Finding[] {
  const {seen, container, views} = mismatch
  const [worst] = views
  if (worst === undefined) return []
  const subject = containerSubject(seen, container)
  return [
    {
      code: 'P02',
      name: 'status-id-mismatch',
      severity: worst.young ? 'info' : 'warning',
      subject,
      message: `${capitalised(containerWords(subject))}: ${sentence(worst)}.`,
      ...(worst.since === undefined ? {} : {since: formatInstant(worst.since)}),
      next: 'The kubelet compares them at its next resync, within 90s, unless its worker for the pod hangs.',
      evidence: views.flatMap(evidenceOf),
      cause: null,
      remedy: [
        checkAgain('look again in two minutes: a kubelet that works has put it right by then'),
        ...(worst.young ? [] : [restartKubelet(snapshot, 'a kubelet that starts asks the runtime anew')]),
      ],
      links,
    },
  ]
}

function sentence({source, kind, id, record}: MismatchView): string {
  const said = `${whoSays(source)} says that ${shortId(id)}`
  switch (kind) {
    case 'gone':
      return `${said} runs, and the runtime does not list it`
    case 'ended':
      return `${said} runs, and the runtime says that it has ended`
    case 'replaced':
      return `${said} runs, and the runtime runs ${shortId(record?.container.id ?? '')} in its place`
    case 'alive':
      return `${said} has ended, and the runtime says that it runs`
    default:
      return kind satisfies never
  }
}

function evidenceOf({source, kind, id, record, endedAt}: MismatchView): Evidence[] {
  const own = {source, fact: `${shortId(id)} is ${kind === 'alive' ? 'terminated' : 'running'}`}
  if (record === undefined) return [own, {source: 'runtime.containers', fact: `no container ${shortId(id)}`}]
  const {container, standing, finishedAt} = record
  // Only these stand on more than the list.
  const where = kind === 'replaced' ? 'runtime.containers' : 'runtime.container-status'
  const at = finishedAt === undefined ? '' : ` since ${formatInstant(finishedAt)}`
  const its = endedAt === undefined ? [] : [{source: 'runtime.container-status', fact: `${shortId(id)} ended at ${formatInstant(endedAt)}`}]
  return [own, {source: where, fact: `${shortId(container.id)} is ${standing}${at}`}, ...its]
}
