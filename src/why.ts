// Explains a pod, a claim or a path: from what somebody sees to what is behind it, and what comes next.
import {type ExitCode, exitCodes} from './base/exit-codes.ts'
import {formatInstant} from './base/instant.ts'
import {contextOf, detectIn} from './findings/detect.ts'
import {detectors} from './findings/detectors.ts'
import {answersTo} from './findings/why/answer.ts'
import type {Answer} from './findings/why/chain.ts'
import {parseQuestion} from './findings/why/question.ts'
import type {WhyReport} from './findings/why/report.ts'
import {answerWithoutSecrets} from './findings/without-secrets.ts'
import {profileNearest, profileOf} from './kubelet/profiles.ts'
import type {Machine} from './node/runtime-source.ts'
import type {SnapshotRequest} from './node/snapshot-request.ts'
import {takeSnapshot} from './node/take-snapshot.ts'

export interface WhyRequest extends SnapshotRequest {
  /** What is asked: 'default/web-0', 'PVC default/data', '/var/lib/kubelet/pods/…'. */
  readonly words: readonly string[]
  /** A modelled version; default: the one nearest to the kubelet's. */
  readonly profile?: string
  /** 'kubelimbo 0.1.0'. */
  readonly tool: string
}

export interface Explained {
  readonly report: WhyReport
  readonly exit: ExitCode
  readonly warnings: readonly string[]
}

/** @throws UserError for what is wrong with the request or the bundle, and for what is not to be found on the node. */
export async function why(request: WhyRequest, machine: Machine): Promise<Explained> {
  const question = parseQuestion(request.words)
  const asked = request.profile === undefined ? undefined : profileOf(request.profile)
  const {snapshot, warnings} = await takeSnapshot(request, machine)
  const context = contextOf(snapshot, asked ?? profileNearest(snapshot.kubeletVersion))
  const {findings, unseen} = detectIn(context, detectors)
  const answers = answersTo(question, context, findings).map(answerWithoutSecrets)
  const report: WhyReport = {
    apiVersion: 'kubelimbo/v1',
    kind: 'Why',
    metadata: {node: snapshot.node, when: formatInstant(snapshot.when), tool: request.tool},
    answers,
    unseen,
  }
  return {report, exit: exitOf(answers), warnings}
}

/** Stuck is a finding; not to know why is not to have seen enough. */
function exitOf(answers: readonly Answer[]): ExitCode {
  if (answers.some(({standing}) => standing === 'stuck')) return exitCodes.findings
  return answers.some(({standing}) => standing === 'unknown') ? exitCodes.blind : exitCodes.clean
}
