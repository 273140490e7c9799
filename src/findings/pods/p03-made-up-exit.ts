// P03: a container is said to have ended in a way that no runtime told the kubelet.
import {capitalised} from '../../base/capitalised.ts'
import {formatInstant} from '../../base/instant.ts'
import {known} from '../../node/reading.ts'
import {shortId} from '../../node/short-id.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Evidence, Finding, Remedy, Severity} from '../finding.ts'
import {containerWords} from '../runtime/container-subject.ts'
import {shellWord} from '../shell-word.ts'
import {askOwner} from './ask-owner.ts'
import {type MadeUpExit, type MadeUpForm, madeUpExits} from './made-up-exits.ts'
import {whoSays} from './pod-views.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/104107',
  'https://github.com/kubernetes/kubernetes/issues/58711',
  'https://github.com/kubernetes/kubernetes/issues/92368',
  'https://github.com/kubernetes/kubernetes/pull/88440',
]

export const madeUpExit: Detector = {
  code: 'P03',
  name: 'made-up-exit',
  severities: [
    {severity: 'error', when: 'it is a success: exit 0 without a reason, a time or a container'},
    {severity: 'warning', when: 'it is the fallback of later kubelets: exit 137, ContainerStatusUnknown, without a time'},
    {
      severity: 'info',
      when:
        'it is the fallback, and the node has started anew since, the pod was evicted or the container never ran; or a pod is going that always started ' +
        'its containers again',
    },
  ],
  graceMs: 0,
  needs: () => [['kubelet.pods', 'api.pods']],
  helpedBy: ['kubelet.pods', 'api.pods', 'runtime.containers', 'runtime.container-status', 'kernel.boot'],
  explain: {
    what:
      "A container's status says that it has ended, and has neither the times nor the id that the end of a container has: the kubelet could no " +
      'longer ask the runtime and wrote something down. What runs by exit codes, as Jobs do, believes it.',
    how:
      'Kubelets before 1.18.2 (and 1.17.11) write exit 0 over the containers of a pod that they end, whatever they ended with. Later ones write 137 ' +
      'and ContainerStatusUnknown, for a container that the runtime no longer lists.',
    lookAlikes: [
      'a container that was killed: 137 with a reason of Error or OOMKilled, with times and an id',
      'exit 0 with an id, as 1.18 to 1.22 show a container that was created and never started',
      "exit 0 with the reason Completed and 'Unable to get init container status', of 1.36: the init containers must have ended well",
      'a node that started anew: its runtime has lost what ran before',
      'an eviction: the containers are removed with the pod',
      'a container that never ran, as its image could not be pulled: since 1.22 it is given 137 when its pod ends',
    ],
    links,
  },
  detect: (context) => madeUpExits(context.snapshot).map((exit) => finding(exit, context)),
}

function finding(exit: MadeUpExit, context: DetectContext): Finding {
  const [worst] = exit.forms
  const kind = worst?.kind ?? 'fallback'
  return {
    code: 'P03',
    name: 'made-up-exit',
    severity: severityOf(kind, exit, context),
    subject: exit.subject,
    message: `${claim(worst, exit)}: ${origin(kind, context)}. ${truth(exit)}`,
    next: `The kubelet keeps it, and does not ask for it again${kind === 'success' && !keepsExits(context) ? '; the phase of the pod may yet turn from Failed to Succeeded' : ''}.`,
    evidence: evidenceOf(exit, context),
    cause: null,
    remedy: remediesFor(exit),
    links,
  }
}

function claim(form: MadeUpForm | undefined, {subject}: MadeUpExit): string {
  const who = capitalised(whoSays(form?.source ?? 'kubelet.pods'))
  const said = `${who} says that ${form?.before ? 'the one before ' : ''}${containerWords(subject)} ended with`
  return form?.kind === 'success' ? `${said} exit 0, without a reason, a time or an id` : `${said} exit 137, ContainerStatusUnknown`
}

function keepsExits({profile}: DetectContext): boolean {
  return profile.switches.has('ends-keep-exits')
}

function origin(kind: MadeUpForm['kind'], context: DetectContext): string {
  if (kind === 'fallback') return 'the runtime had no such container when the kubelet asked, and this is what it writes then'
  const {version} = context.profile
  return keepsExits(context)
    ? `kubelet ${version} does not write that, but one before 1.18.2 does, over whatever a container ended with`
    : `kubelet ${version} writes that over whatever a container ended with, when the pod is deleted`
}

/** What the runtime itself has of the container. */
function truth({record, neverRan}: MadeUpExit): string {
  if (neverRan) return 'It seems never to have run: its status has no id and no end before.'
  if (record?.standing === 'running') return 'The runtime says that it runs.'
  if (record?.exitCode === undefined) return 'How it really ended is unverifiable: the runtime tells no end of it.'
  const reason = record.look?.status?.reason
  return `The runtime says that it ended with exit ${record.exitCode}${reason ? `, ${reason}` : ''}.`
}

function severityOf(kind: MadeUpForm['kind'], exit: MadeUpExit, {snapshot}: DetectContext): Severity {
  if (kind === 'success') return isUnread(exit) ? 'info' : 'error'
  return exit.neverRan || isEvicted(exit) || rebootOf(exit, known(snapshot.readings['kernel.boot'])?.at) !== undefined ? 'info' : 'warning'
}

/** Kubelets before 1.18.2 write it in the last second of any pod that is deleted: by the exits of one that always starts again nobody goes. */
function isUnread({seen, record}: MadeUpExit): boolean {
  const isGoing = seen.views.every(({pod}) => pod.deletedAt !== undefined && pod.restartPolicy === 'Always' && pod.phase === 'Running')
  return isGoing && record?.standing !== 'running'
}

function isEvicted({seen}: MadeUpExit): boolean {
  return seen.views.some(({pod}) => pod.reason === 'Evicted')
}

/** The last start of the node, when the container, or at least its pod, is from before. */
function rebootOf({seen, record}: MadeUpExit, boot: number | undefined): number | undefined {
  const from = record?.createdAt ?? seen.pod.createdAt
  return boot !== undefined && from !== undefined && from < boot ? boot : undefined
}

function evidenceOf(exit: MadeUpExit, {snapshot}: DetectContext): Evidence[] {
  const {forms, record, seen} = exit
  const facts = forms.map(({source, kind, before}) => ({
    source,
    fact: `${before ? 'lastState' : 'state'}.terminated of ${exit.container || 'a container without a name'}: ${
      kind === 'success' ? 'exit 0, no reason' : 'exit 137, ContainerStatusUnknown'
    }, no times, no id`,
  }))
  const boot = forms[0]?.kind === 'fallback' ? rebootOf(exit, known(snapshot.readings['kernel.boot'])?.at) : undefined
  const evicted = seen.views.filter(({pod}) => pod.reason === 'Evicted')
  return [
    ...facts,
    ...(record === undefined ? [] : [{source: 'runtime.containers', fact: `${shortId(record.container.id)} is ${record.standing}`}]),
    ...(record?.exitCode === undefined ? [] : [{source: 'runtime.container-status', fact: `its exit code is ${record.exitCode}`}]),
    ...(boot === undefined ? [] : [{source: 'kernel.boot', fact: `the node started at ${formatInstant(boot)}, after the container`}]),
    ...evicted.map(({source}) => ({source, fact: 'the pod was evicted'})),
  ]
}

function remediesFor({seen, container, record}: MadeUpExit): Remedy[] {
  const {namespace, name} = seen.pod
  const owner = askOwner(seen.pod, 'what owns the pod may have counted the exit code: decide whether its work has to be done again')
  if (record === undefined) return [owner]
  const logs = `kubectl logs -n ${shellWord(namespace)} ${shellWord(name)} -c ${shellWord(container)}`
  return [{command: logs, why: 'the log of the container says how it ended, as long as the runtime has it', loses: null}, owner]
}
