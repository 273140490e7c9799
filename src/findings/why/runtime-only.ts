// A pod that only the runtime knows: the kubelet has let it go, or never had it.

import {uidsOf} from '../../node/pod.ts'
import {known} from '../../node/reading.ts'
import {shortId} from '../../node/short-id.ts'
import type {SourceName} from '../../node/snapshot.ts'
import type {DetectContext, Unseen} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {podsHere} from '../pods/pods-here.ts'
import {sandboxState} from '../runtime/sandbox-words.ts'
import {buildChains} from './build-chains.ts'
import type {Answer, Link} from './chain.ts'
import type {Question} from './question.ts'

export function runtimeOnlyAnswers(
  context: DetectContext,
  {namespace, name}: Extract<Question, {kind: 'pod'}>,
  findings: readonly Finding[],
): readonly Answer[] {
  const {snapshot} = context
  const lists = (['kubelet.pods', 'api.pods'] as const).filter((source) => known(snapshot.readings[source]) !== undefined)
  const owned = new Set(lists.flatMap((source) => (known(snapshot.readings[source]) ?? []).flatMap(uidsOf)))
  const sandboxes = (known(snapshot.readings['runtime.sandboxes']) ?? []).filter(
    ({metadata}) =>
      metadata !== undefined &&
      metadata.name === name &&
      (namespace ?? metadata.namespace) === metadata.namespace &&
      !owned.has(metadata.uid),
  )
  const {doubt} = podsHere(context)
  const told = lists.includes('kubelet.pods') && doubt === undefined
  const byUid = Map.groupBy(sandboxes, ({metadata}) => metadata?.uid ?? '')
  return [...byUid].map(([uid, own]): Answer => {
    const about = findings.filter(({subject}) => subject.uid === uid || subject.podUid === uid)
    const ofNamespace = own[0]?.metadata?.namespace ?? ''
    const who = `${ofNamespace}/${name}`
    const symptom: Link = {
      what: `${who} (UID ${uid}) is at the runtime${unlisted(lists, doubt)}.`,
      evidence: [
        ...own.map((sandbox) => ({source: 'runtime.sandboxes', fact: `${shortId(sandbox.id)} is ${sandboxState(sandbox)}`})),
        ...lists.map((source) => ({source, fact: `no pod has the UID ${uid}`})),
      ],
    }
    const {chains, standing} = buildChains({symptom: [symptom], reasons: [], findings: about, all: findings}, true)
    const next = told ? ['it removes sandboxes of pods that are gone once a minute'] : []
    return {
      subject: {kind: 'Pod', namespace: ofNamespace, name, uid},
      standing: standing === 'unknown' && told ? 'waits' : standing,
      summary: `${who} is known to the runtime${told ? ' only' : ', and whether to anybody else was not seen'}.`,
      chains: chains.length > 0 ? chains : [{links: [symptom], next, remedy: []}],
    }
  })
}

function unlisted(lists: readonly SourceName[], doubt: Unseen | undefined): string {
  if (!lists.includes('kubelet.pods')) return ", and the kubelet's list of pods was not read"
  if (doubt !== undefined) return `, and the kubelet does not list it; but ${doubt.why}`
  return lists.includes('api.pods') ? ', and neither the kubelet nor the API server lists it' : ', and the kubelet does not list it'
}
