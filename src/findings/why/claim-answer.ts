// Why a claim stands as it stands: through the pods of this node that use it.
import {known} from '../../node/reading.ts'
import type {DetectContext} from '../detector.ts'
import type {Finding, Remedy} from '../finding.ts'
import {heldVolumes} from '../pods/held-volumes.ts'
import type {KnownPod} from '../pods/waiting-pods.ts'
import {shellWord} from '../shell-word.ts'
import type {Answer, Link} from './chain.ts'
import {podAnswer} from './pod-answer.ts'

interface Claim {
  readonly namespace: string
  readonly name: string
}

export function claimAnswers(
  context: DetectContext,
  {namespace, name}: Claim,
  pods: readonly KnownPod[],
  findings: readonly Finding[],
): readonly Answer[] {
  const users = pods.filter(({pod}) => pod.namespace === namespace && pod.volumes.some(({claim}) => claim === name))
  if (users.length === 0) return [unusedAnswer(context, {namespace, name}, findings)]
  return users.map((user): Answer => {
    const answer = podAnswer(context, user, findings)
    const volume = volumeOf(context, user, name)
    const link: Link = {
      what: `The claim ${namespace}/${name} is used by ${user.pod.namespace}/${user.pod.name}${volume === undefined ? '' : `, as the volume ${volume}`}.`,
      evidence: [{source: user.source, fact: `${user.pod.name} has a volume with the claim ${name}`}],
    }
    return {
      subject: {kind: 'Volume', namespace, name, pod: user.pod.name, podUid: user.pod.uid},
      standing: answer.standing,
      summary: `The claim ${namespace}/${name} is used here by ${user.pod.name}. ${answer.summary}`,
      chains: answer.chains.map((chain) => ({...chain, links: [link, ...chain.links]})),
    }
  })
}

/** Certain only where the pod has one claim, and one entry in its directory. */
function volumeOf(context: DetectContext, {pod}: KnownPod, claim: string): string | undefined {
  const claims = pod.volumes.filter((volume) => volume.claim !== undefined)
  const own = heldVolumes(context, pod.uid).filter(({ephemeral}) => !ephemeral)
  return claims.length === 1 && claims[0]?.claim === claim && own.length === 1 ? own[0]?.specName : undefined
}

/** What holds it is elsewhere, unless it is one of the volumes that nobody here can put a claim to. */
function unusedAnswer({snapshot}: DetectContext, {namespace, name}: Claim, findings: readonly Finding[]): Answer {
  const left = findings.filter(({code}) => code === 'V04' || code === 'U01' || code === 'U02')
  const asked = (['kubelet.pods', 'api.pods'] as const).filter((source) => known(snapshot.readings[source]) !== undefined)
  const seen: Link = {
    what: `No pod of this node uses the claim ${namespace}/${name}.`,
    evidence: asked.map((source) => ({source, fact: 'no pod has a volume with this claim'})),
  }
  const describe: Remedy = {
    command: `kubectl -n ${shellWord(namespace)} describe pvc ${shellWord(name)}`,
    why: 'its volume, the pods that use it, and its events',
    loses: null,
  }
  const leftovers: readonly Link[] =
    left.length === 0
      ? []
      : [
          {
            what: `${left.length === 1 ? 'One volume is' : `${left.length} volumes are`} left on this node for no pod; the handle of the claim's volume tells whether it is among them: ${left.map(({subject}) => subject.handle ?? subject.name ?? subject.path ?? '?').join(', ')}.`,
            evidence: left.flatMap(({evidence}) => evidence.slice(0, 1)),
          },
        ]
  return {
    subject: {kind: 'Volume', namespace, name},
    standing: 'elsewhere',
    summary: `The claim ${namespace}/${name} is used by no pod of this node${left.length === 0 ? '' : '; volumes are left here for no pod'}.`,
    chains: [{links: [seen, ...leftovers], next: [], remedy: [describe, ...left.flatMap(({remedy}) => remedy.slice(0, 1))]}],
  }
}
