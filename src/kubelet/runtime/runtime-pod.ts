// A pod as the runtime has it. Upstream: container.PodStatus and container.Pod.
import type {CriContainer, CriContainerStatus, CriSandbox} from '../cri.ts'

/** With what each container's own status says; the pod cache holds these. Newest container first, as the runtime manager sorts them. */
export interface RuntimePodStatus {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly sandboxes: readonly CriSandbox[]
  readonly containers: readonly CriContainerStatus[]
}

/** As the lists have it. */
export interface RuntimePod {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly sandboxes: readonly CriSandbox[]
  readonly containers: readonly CriContainer[]
}

/** The newest status of a container by its name. Upstream: PodStatus.FindContainerStatusByName. */
export const statusByName = (status: RuntimePodStatus, name: string): CriContainerStatus | undefined =>
  status.containers.find(({metadata}) => metadata.name === name)
