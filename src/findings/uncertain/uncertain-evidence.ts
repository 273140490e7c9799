// What is said in support of U01 and U02, source by source.
import {formatInstant} from '../../base/instant.ts'
import {callPair} from '../../kubelet/traces/csi-counters.ts'
import type {ForgottenVolume} from '../../kubelet/traces/forgotten.ts'
import type {Pod} from '../../node/pod.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {callFact} from '../call-words.ts'
import type {Evidence} from '../finding.ts'
import type {KnownPod} from '../pods/waiting-pods.ts'
import type {CallStanding} from './uncertain-call.ts'

export function podEvidence(pods: readonly KnownPod[]): Evidence[] {
  return pods.map(({pod, source}) => ({source, fact: waitingFact(pod)}))
}

function waitingFact(pod: Pod): string {
  const claims = pod.volumes.flatMap((volume) => (volume.claim === undefined ? [] : [volume.claim]))
  const leaving = pod.deletedAt === undefined ? '' : `, deletion due since ${formatInstant(pod.deletedAt)}`
  return `${pod.namespace}/${pod.name} is ${pod.phase ?? 'without a phase'} and has no container${leaving}; claims: ${claims.join(', ') || 'none'}`
}

export function diskEvidence(forgotten: ForgottenVolume, specName: string | undefined): Evidence[] {
  const begun = {source: 'disk.entries', fact: `${forgotten.path} is there`}
  if (forgotten.mode === 'block') {
    const link = `pods/${forgotten.podUid ?? '*'}/volumeDevices/kubernetes.io~csi/${specName ?? '*'}`
    return [begun, {source: 'disk.entries', fact: `${link} is not: the kubelet makes it last`}]
  }
  const data = `its vol_data.json names ${forgotten.driver}, ${forgotten.handle}; no vol_data.json of a pod does`
  return [begun, {source: 'disk.vol-data', fact: data}]
}

export function logEvidence({call, letGo}: CallStanding): Evidence[] {
  if (call === undefined) return []
  const detached =
    letGo === undefined ? [] : [{source: 'kubelet.log', fact: `Volume detached at ${formatInstant(letGo)}, and nothing undone before`}]
  return [{source: 'kubelet.log', fact: callFact(call)}, ...detached]
}

/** A published block volume is staged, too: that pair is the one its own call cannot disturb. */
export function counterEvidence(snapshot: Snapshot, {what, driver}: Pick<ForgottenVolume, 'what' | 'driver'>): Evidence[] {
  const samples = known(snapshot.readings['kubelet.metrics'])
  if (samples === undefined || driver === undefined || what === 'staged') return []
  const pair = callPair(samples, driver, 'NodeStageVolume')
  if (pair === undefined || pair.done <= pair.undone) return []
  const fact = `since the kubelet's start ${pair.done} NodeStageVolume of ${driver} went well and ${pair.undone} NodeUnstageVolume`
  return [{source: 'kubelet.metrics', fact}]
}
