// Which ids belong to which names, learnt from the calls that pass and from what is told from outside. All connections share one.
//
// Of each kind the 10,000 that were used last are kept: a node has a few hundred pods at most, and a name that was forgotten is learnt again with
// the next list.
import {boundedMap} from './bounded-map.ts'

export interface PodName {
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

export interface ContainerName {
  readonly name: string
  /** '' where that is not known. */
  readonly sandboxId: string
  /** Where it is known without the sandbox. */
  readonly pod?: PodName
}

export interface VolumeName {
  /** 'namespace/name' of the claim. */
  readonly pvc: string
  readonly driver?: string
  /** What CSI calls volume_id, and Kubernetes the volume's handle. */
  readonly volumeId?: string
  /** The persistent volume's name, which is in the paths. */
  readonly pv?: string
}

export interface NameIndex {
  addPod(pod: PodName): void
  addSandbox(id: string, pod: PodName): void
  addContainer(id: string, container: ContainerName): void
  addVolume(volume: VolumeName): void
  podOfUid(uid: string): PodName | undefined
  podOfSandbox(id: string): PodName | undefined
  container(id: string): ContainerName | undefined
  /** By a volume's id, or by the name of its persistent volume. */
  pvcOfVolume(volumeId: string): string | undefined
  pvcOfPv(pv: string): string | undefined
  knowsSandbox(id: string): boolean
  knowsContainer(id: string): boolean
}

const most = 10_000

export function nameIndex(): NameIndex {
  const pods = boundedMap<string, PodName>({most})
  const sandboxes = boundedMap<string, PodName>({most})
  const containers = boundedMap<string, ContainerName>({most})
  const byVolume = boundedMap<string, string>({most})
  const byPv = boundedMap<string, string>({most})
  return {
    addPod: (pod) => {
      if (pod.uid !== '') pods.set(pod.uid, pod)
    },
    addSandbox: (id, pod) => {
      sandboxes.set(id, pod)
      if (pod.uid !== '') pods.set(pod.uid, pod)
    },
    addContainer: (id, container) => containers.set(id, container),
    addVolume: ({pvc, volumeId, pv}) => {
      if (volumeId !== undefined && volumeId !== '') byVolume.set(volumeId, pvc)
      if (pv !== undefined && pv !== '') byPv.set(pv, pvc)
    },
    podOfUid: (uid) => pods.get(uid),
    podOfSandbox: (id) => sandboxes.get(id),
    container: (id) => containers.get(id),
    pvcOfVolume: (volumeId) => byVolume.get(volumeId),
    pvcOfPv: (pv) => byPv.get(pv),
    knowsSandbox: (id) => sandboxes.has(id),
    knowsContainer: (id) => containers.has(id),
  }
}
