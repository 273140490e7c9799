// What a client of the socket gave beyond what the world keeps: labels, annotations, log paths, mounts and the like, to be given back unchanged.
//
// It hangs on the metadata of the row, the very object that goes through the port into the world: so it is there as soon as the row is, even when no answer
// ever came back, and goes with it.
import type {CriContainer, CriSandbox, SandboxMetadata} from '../../kubelet/cri.ts'
import {podLabels} from '../../node/cri-selection.ts'
import type {ContainerConfig, LinuxContainerResources, PodSandboxConfig} from '../../wire/gen/cri-config_pb.ts'

export interface SandboxDetails {
  readonly config: PodSandboxConfig
  readonly runtimeHandler: string
  /** Since the last UpdatePodSandboxResources. */
  overhead?: LinuxContainerResources
  resources?: LinuxContainerResources
}

export interface ContainerDetails {
  readonly config: ContainerConfig
  /** 'sha256:…', of the image as it was then. */
  readonly imageId: string
  /** Absolute; absent when no log is asked for. */
  readonly logPath?: string
  /** Since the last UpdateContainerResources. */
  resources?: LinuxContainerResources
}

type ContainerMetadata = CriContainer['metadata']

export interface Details {
  keepSandbox(metadata: SandboxMetadata, details: SandboxDetails): void
  keepContainer(metadata: ContainerMetadata, details: ContainerDetails): void
  /** Undefined for one that came another way than by a socket. */
  ofSandbox(sandbox: CriSandbox): SandboxDetails | undefined
  ofContainer(container: CriContainer): ContainerDetails | undefined
  /** Given out once for each sandbox. */
  ip(sandbox: CriSandbox): string
}

export function details(): Details {
  const sandboxes = new WeakMap<SandboxMetadata, SandboxDetails>()
  const containers = new WeakMap<ContainerMetadata, ContainerDetails>()
  const ips = new WeakMap<SandboxMetadata, string>()
  let given = 0
  return {
    keepSandbox: (metadata, kept) => void sandboxes.set(metadata, kept),
    keepContainer: (metadata, kept) => void containers.set(metadata, kept),
    ofSandbox: ({metadata}) => sandboxes.get(metadata),
    ofContainer: ({metadata}) => containers.get(metadata),
    ip: ({metadata}) => {
      const ip = ips.get(metadata) ?? ipOf(++given)
      ips.set(metadata, ip)
      return ip
    },
  }
}

/** Of 198.18.0.0/15, where nobody answers a kubelet's probe (RFC 2544). */
const ipOf = (index: number): string => `198.${18 + ((index >> 16) & 1)}.${(index >> 8) & 255}.${index & 255}`

/** As the kubelet labels what it makes; a client that gave other labels has its own. */
export function labelsOf(pod: CriContainer['pod'], container?: string): Record<string, string> {
  const labels = {[podLabels.name]: pod.name, [podLabels.namespace]: pod.namespace, [podLabels.uid]: pod.uid}
  return container === undefined ? labels : {...labels, [podLabels.container]: container}
}
