// The findings that have to do with a pod: about itself, its volumes, their drivers, and what all pods of the node suffer from.
import {nodeUid, type Pod} from '../../node/pod.ts'
import type {DetectContext} from '../detector.ts'
import type {Finding, Subject} from '../finding.ts'
import {heldVolumes} from '../pods/held-volumes.ts'

/** Of these the whole node suffers. */
const ofTheNode: ReadonlySet<string> = new Set(['R01', 'K02'])
const ofDrivers: ReadonlySet<string> = new Set(['C01', 'C02', 'C03'])

interface PodVolumes {
  readonly drivers: ReadonlySet<string>
  /** 'driver^handle' */
  readonly volumes: ReadonlySet<string>
}

/** What the directories of the pod show, and the drivers that its inline volumes name. */
function volumesOfPod(context: DetectContext, pod: Pod): PodVolumes {
  const own = heldVolumes(context, nodeUid(pod))
  return {
    drivers: new Set([...own.map(({driver}) => driver), ...pod.volumes.flatMap(({driver}) => driver ?? [])]),
    volumes: new Set(own.map(({driver, handle}) => `${driver}^${handle}`)),
  }
}

/** @param troubled whether the pod has anything to be explained: a healthy pod has nothing to do with the node's troubles. */
export function findingsOfPod(context: DetectContext, pod: Pod, findings: readonly Finding[], troubled: boolean): readonly Finding[] {
  const {drivers, volumes} = volumesOfPod(context, pod)
  return findings.filter(({code, subject}) => {
    if (isAbout(subject, pod)) return true
    if (subject.kind === 'Volume' && subject.podUid === undefined && volumes.has(`${subject.driver}^${subject.handle}`)) return true
    if (ofDrivers.has(code)) return subject.driver !== undefined && drivers.has(subject.driver)
    return troubled && ofTheNode.has(code) && (subject.kind === 'Runtime' || subject.kind === 'Kubelet')
  })
}

function isAbout({uid, podUid, kind, namespace, name, pod: podName}: Subject, pod: Pod): boolean {
  if (uid !== undefined || podUid !== undefined) return uid === pod.uid || [uid, podUid].includes(nodeUid(pod))
  return namespace === pod.namespace && (kind === 'Pod' ? name === pod.name : podName === pod.name)
}
