// A pod that only the runtime knows: the kubelet has let it go, or never had it.
import {known} from '../../node/reading.ts'
import {type PodSandbox, PodSandboxState} from '../../wire/gen/cri_pb.ts'
import type {DetectContext} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {buildChains} from './build-chains.ts'
import type {Answer, Link} from './chain.ts'
import type {Question} from './question.ts'

export function runtimeOnlyAnswers(
  {snapshot}: DetectContext,
  {namespace, name}: Extract<Question, {kind: 'pod'}>,
  findings: readonly Finding[],
): readonly Answer[] {
  const owned = new Set(
    (['kubelet.pods', 'api.pods'] as const).flatMap((source) =>
      (known(snapshot.readings[source]) ?? []).map(({uid, staticUid = uid}) => staticUid),
    ),
  )
  const sandboxes = (known(snapshot.readings['runtime.sandboxes']) ?? []).filter(
    ({metadata}) =>
      metadata !== undefined &&
      metadata.name === name &&
      (namespace ?? metadata.namespace) === metadata.namespace &&
      !owned.has(metadata.uid),
  )
  const byUid = Map.groupBy(sandboxes, ({metadata}) => metadata?.uid ?? '')
  return [...byUid].map(([uid, own]): Answer => {
    const about = findings.filter(({subject}) => subject.uid === uid || subject.podUid === uid)
    const who = `${own[0]?.metadata?.namespace}/${name}`
    const symptom: Link = {
      what: `${who} is known to the runtime only: neither the kubelet nor the API server lists its UID ${uid}.`,
      evidence: own.map((sandbox) => ({source: 'runtime.sandboxes', fact: `${sandbox.id.slice(0, 13)} is ${stateOf(sandbox)}`})),
    }
    const {chains, standing} = buildChains({symptom: [symptom], reasons: [], findings: about, all: findings}, true)
    return {
      subject: {kind: 'Pod', namespace: own[0]?.metadata?.namespace ?? '', name, uid},
      standing,
      summary: `${who} is known to the runtime only.`,
      chains:
        chains.length > 0
          ? chains
          : [
              {
                links: [symptom],
                next: ['it removes sandboxes of pods that are gone once a minute, and kills what still runs of them'],
                remedy: [],
              },
            ],
    }
  })
}

function stateOf({state}: PodSandbox): string {
  return state === PodSandboxState.SANDBOX_READY ? 'READY' : 'NOTREADY'
}
