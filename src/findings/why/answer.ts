// The answers to a question; one for each pod that it is about.
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {DetectContext} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {type KnownPod, knownPods, podsOf} from '../pods/waiting-pods.ts'
import type {Answer} from './chain.ts'
import {claimAnswers} from './claim-answer.ts'
import {pathAnswer} from './path-answer.ts'
import {podAnswer} from './pod-answer.ts'
import type {Question} from './question.ts'
import {runtimeOnlyAnswers} from './runtime-only.ts'

/** @throws UserError when the pod or the path is not to be found, or nobody could be asked. */
export function answersTo(question: Question, context: DetectContext, findings: readonly Finding[]): readonly Answer[] {
  const {snapshot} = context
  if (question.kind === 'path') return [pathAnswer(context, question.path, findings)]
  const pods = podsToAskAbout(snapshot)
  if (question.kind === 'claim') {
    if (pods === undefined) throw blind(snapshot, `the claim ${question.namespace}/${question.name}`)
    return claimAnswers(context, question, pods, findings)
  }
  const {namespace, name} = question
  const named = (pods ?? []).filter(({pod}) => pod.name === name && (namespace === undefined || pod.namespace === namespace))
  const namespaces = [...new Set(named.map(({pod}) => pod.namespace))]
  if (namespace === undefined && namespaces.length > 1)
    throw new UserError(
      `Cannot tell which pod ${name} is meant as its namespace must be named: there is one in ${namespaces.join(' and ')}`,
    )
  const own = named.map((pod) => podAnswer(context, pod, findings))
  const answers = [...(own.length > 1 ? own.map(withUid) : own), ...runtimeOnlyAnswers(context, question, findings)]
  if (answers.length > 0) return answers
  const who = namespace === undefined ? name : `${namespace}/${name}`
  if (pods === undefined) throw blind(snapshot, `the pod ${who}`)
  throw new UserError(`Cannot explain ${who} as it must be a pod that the kubelet or the runtime of this node knows: none of them does`, {
    hint: `${namespace === undefined ? 'name it NAMESPACE/POD; ' : ''}\`kubelimbo pods\` lists those of this node`,
  })
}

/** An old one and its successor. */
function withUid(answer: Answer): Answer {
  return {...answer, summary: `${answer.summary.slice(0, -1)} (UID ${answer.subject.uid}).`}
}

/** What is known of pods even where nothing may be concluded from what a list lacks. */
function podsToAskAbout(snapshot: Snapshot): readonly KnownPod[] | undefined {
  const sure = knownPods(snapshot)
  // Those that have no node yet are nobody's; somebody may ask about them all the same.
  const unbound = (known(snapshot.readings['api.pods']) ?? []).filter(({nodeName}) => nodeName === undefined)
  if (sure !== undefined) {
    const listed = new Set(sure.map(({pod}) => pod.uid))
    return [...sure, ...unbound.filter(({uid}) => !listed.has(uid)).map((pod) => ({pod, source: 'api.pods' as const}))]
  }
  const sources = (['kubelet.pods', 'api.pods'] as const).filter((source) => known(snapshot.readings[source]) !== undefined)
  return sources.length === 0 ? undefined : podsOf(snapshot, sources)
}

function blind({readings}: Snapshot, what: string): UserError {
  const reading = readings['kubelet.pods']
  const why = reading.state === 'read' ? 'they were read and not found' : reading.why
  return new UserError(`Cannot explain ${what} as the kubelet's pods must be readable: ${why}`, {
    hint: '`kubelimbo doctor` says what it takes to see them',
    exit: exitCodes.blind,
  })
}
