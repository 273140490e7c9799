// The sentences of U01 and U02: what happened, what is owed, what to do next.
import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import {csiTimeoutMs, endWord} from '../call-words.ts'
import {checkAgain} from '../check-again.ts'
import type {Remedy} from '../finding.ts'
import {shellWord} from '../shell-word.ts'
import type {CallStanding} from './uncertain-call.ts'
import type {UncertainVolume} from './uncertain-volume.ts'

/** 'NodeStageVolume was called at …, 20s ago, and is unanswered'; 'NodeStageVolume ended at …, 20s ago, with DeadlineExceeded'. */
export function account({call}: CallStanding, method: string, now: number): string {
  if (call === undefined) return `the directory of ${method} is there and no pod has the volume`
  const age = now - call.startedAt
  // A log in another time zone than we were told.
  const ago = age < -1000 ? `${formatDuration(age)} from now by the log's clock` : `${formatDuration(age)} ago`
  const moment = `${formatInstant(call.startedAt)}, ${ago}`
  if (call.end.state === 'open') return `${method} was called at ${moment}, and is unanswered`
  if (call.isBeginKnown) return `${method} was called at ${moment}, and ended with ${endWord(call.end)}`
  return `${method} ended at ${moment}, with ${endWord(call.end)}`
}

/** The call that undoes it, who sends it and when. */
export function debt(standing: CallStanding, method: string, owed: string, version: string): string {
  const sender = standing.remembers
    ? `which the kubelet sends when no pod wants the volume any more; until then it calls ${method} again`
    : `which kubelet ${version} never sends`
  switch (standing.undo) {
    case 'running':
      return `The kubelet gives up ${deadline(standing)}: from then on the driver is owed ${owed}, ${sender}.`
    case 'unknown':
      return `Nothing that was seen says how it ended. If without an answer, the driver is owed ${owed}, ${sender}.`
    case 'owed':
    case 'never-sent':
      return `The driver is owed ${owed}, ${sender}.`
    case 'restarted':
      return `The driver is owed ${owed}, and the kubelet has forgotten it: it was started since.`
    case 'let-go':
      return `The driver is owed ${owed}, and the kubelet has let go of the volume without it: an error on a later try made it forget.`
    case 'overdue':
      return `The driver is owed ${owed}, and the kubelet should have sent it by now.`
    default:
      return standing.undo satisfies never
  }
}

function deadline({call}: CallStanding): string {
  return call === undefined ? `${formatDuration(csiTimeoutMs)} after the call began` : `at ${formatInstant(call.startedAt + csiTimeoutMs)}`
}

/** The next step in each standing. */
export function remediesFor({standing, subject}: UncertainVolume, node: string): Remedy[] {
  const driverLog: Remedy = {
    command: `kubectl get pods -A -o wide --field-selector spec.nodeName=${shellWord(node || 'NODE')}`,
    why: `find the pod of ${subject.driver ?? 'the driver'} on this node and read its log: is it still at work on the volume?`,
    loses: null,
  }
  const again = checkAgain('look again when the call has ended: it may still be answered')
  const newPod: Remedy = {
    command: 'kubectl apply -f POD-WITH-THE-SAME-CLAIM.yaml',
    why: 'a new pod with the claim on this node makes the kubelet learn of the volume; delete it afterwards and the kubelet undoes it',
    loses: null,
  }
  switch (standing.undo) {
    case 'running':
    case 'unknown':
      return [again, driverLog]
    case 'owed':
      return [driverLog]
    case 'never-sent':
    case 'restarted':
    case 'let-go':
    case 'overdue':
      return [driverLog, newPod]
    default:
      return standing.undo satisfies never
  }
}
