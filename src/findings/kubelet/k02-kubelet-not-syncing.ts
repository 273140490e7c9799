// K02: the kubelet's sync loop stands, or the kubelet does not answer at all.
import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import type {DetectContext, Detector, Unseen} from '../detector.ts'
import type {Evidence, Finding} from '../finding.ts'
import {whyUnusable} from '../usable.ts'
import {causeOfStop} from './cause-of-stop.ts'
import {kubeletRemedies} from './kubelet-remedies.ts'
import {answerMs, type KubeletTrouble, kubeletTrouble, loopMs, startMs} from './kubelet-trouble.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/101622',
  'https://github.com/kubernetes/kubernetes/issues/31272',
  'https://github.com/kubernetes/kubernetes/issues/122491',
]

export const kubeletNotSyncing: Detector = {
  code: 'K02',
  name: 'kubelet-not-syncing',
  severities: [
    {severity: 'critical', when: 'its /healthz says that the sync loop does not turn'},
    {severity: 'error', when: `it has run for longer than ${formatDuration(startMs)} and does not answer at its own ports`},
  ],
  graceMs: startMs,
  // A kubelet that does not answer is read as a failure, and that is the finding.
  needs: () => [],
  cannotLook: (context) => (kubeletTrouble(context) === undefined ? unanswered(context) : undefined),
  helpedBy: ['kubelet.healthz', 'kubelet.pods', 'kubelet.log', 'disk.mounts', 'kernel.mounts', 'runtime.answers'],
  explain: {
    what: `The kubelet says itself that its sync loop has not turned for ${formatDuration(loopMs)}, or it runs and answers at none of its ports.`,
    how:
      'The loop waits for something that never comes: a stat() on a mount whose server is gone, a container runtime that does not answer. A kubelet ' +
      'that hangs in statfs() while it starts opens no port. Pods that have nothing to do with it are then neither started nor stopped nor reported. ' +
      'One look cannot tell a list of pods that no longer changes: compare two of /pods with two of the runtime.',
    lookAlikes: [
      '401 and 403: it answers, and we may not ask',
      'a kubelet that is not seen to run, or whose ports are not ours: another network namespace, settings that we cannot read',
      'a kubelet whose /healthz has no port, and whose own port serves',
      'a kubelet that has just started',
      'another check of /healthz that fails: the relist (pleg) may be slow while the loop turns',
      'a log that nobody writes to for a while: an idle kubelet says little',
    ],
    links,
  },
  detect: (context) => {
    const trouble = kubeletTrouble(context)
    return trouble === undefined ? [] : [finding(context, trouble)]
  },
}

function finding(context: DetectContext, trouble: KubeletTrouble): Finding {
  const {snapshot} = context
  const stands = trouble.kind === 'loop stands'
  return {
    code: 'K02',
    name: 'kubelet-not-syncing',
    severity: stands ? 'critical' : 'error',
    subject: {kind: 'Kubelet', ...(snapshot.node !== '' && {name: snapshot.node})},
    message: sentence(trouble),
    ...(stands && {since: formatInstant(snapshot.when - loopMs)}),
    next: stands
      ? 'Nothing by itself until what the loop waits for answers: no pod of this node is started, stopped or reported. Where somebody watches /healthz, the kubelet is restarted.'
      : 'Once its lease has not been renewed for 40s (50s since 1.32) the control plane calls the node NotReady, and its pods are evicted 5m later.',
    evidence: [...trouble.evidence, ...logEvidence(context)],
    cause: causeOfStop(context),
    remedy: kubeletRemedies(snapshot),
    links,
  }
}

function sentence(trouble: KubeletTrouble): string {
  return trouble.kind === 'loop stands'
    ? `The kubelet's sync loop has not turned for ${formatDuration(loopMs)} or longer: its own check syncloop fails.`
    : `The kubelet (pid ${trouble.pid}) has run for ${formatDuration(trouble.ageMs)} and does not serve: ${trouble.why}.`
}

/** A log that stands still goes with it, and proves nothing alone. */
function logEvidence({snapshot, trace}: DetectContext): Evidence[] {
  const age = trace.until === undefined ? 0 : snapshot.when - trace.until
  return age < quietMs ? [] : [{source: 'kubelet.log', fact: `its newest line is ${formatDuration(age)} old`}]
}

/** The kubelet writes more often than that, as a rule, whenever it works. */
const quietMs = 120_000

function unanswered({snapshot}: DetectContext): Unseen | undefined {
  const source = 'kubelet.healthz'
  const why = whyUnusable(snapshot, source)
  const reading = snapshot.readings[source]
  if (why === undefined) return undefined
  const short = reading.state === 'failed' && reading.kind === 'silent' && (reading.tookMs ?? 0) < answerMs
  return {source, why: short ? `${why}: silence counts after ${formatDuration(answerMs)}` : why}
}
