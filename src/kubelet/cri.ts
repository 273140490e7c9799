// The CRI as the model calls it: the methods, with the fields of their messages that it reads or writes. Moments are nanoseconds on the wire, milliseconds here.
import type {Methods} from './port.ts'

export type CriContainerState = 'CREATED' | 'RUNNING' | 'EXITED' | 'UNKNOWN'
export type CriSandboxState = 'READY' | 'NOTREADY'

export interface SandboxMetadata {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** Counts the sandboxes of one pod. */
  readonly attempt: number
}

export interface CriSandbox {
  readonly id: string
  readonly metadata: SandboxMetadata
  readonly state: CriSandboxState
  readonly createdAt: number
}

export interface CriContainer {
  readonly id: string
  readonly podSandboxId: string
  /** The kubelet's labels tell the pod. */
  readonly pod: {readonly namespace: string; readonly name: string; readonly uid: string}
  readonly metadata: {readonly name: string; readonly attempt: number}
  readonly image: string
  readonly state: CriContainerState
  readonly createdAt: number
}

export interface CriContainerStatus extends CriContainer {
  /** 0 while it has not started. */
  readonly startedAt: number
  /** 0 while it has not ended. */
  readonly finishedAt: number
  readonly exitCode: number
  readonly reason: string
  readonly message: string
}

export interface ContainerConfig {
  readonly metadata: {readonly name: string; readonly attempt: number}
  readonly image: string
  readonly command: readonly string[]
  /** Of the kubelet, who reads them again when it has forgotten the pod. */
  readonly annotations?: Readonly<Record<string, string>>
  readonly mounts?: readonly CriMount[]
  readonly devices?: readonly CriDevice[]
}

export interface CriMount {
  readonly containerPath: string
  readonly hostPath: string
  readonly readonly: boolean
}

export interface CriDevice {
  readonly containerPath: string
  /** Of the device or of a link to it. */
  readonly hostPath: string
  /** 'mrw' */
  readonly permissions: string
}

/** The label selector of the kubelet, which is the pod's uid or nothing. */
export interface ListRequest {
  readonly podUid?: string
}

/**
 * The lists are immutable: a list that is the same object as the last one says the same.
 */
export interface CriMethods extends Methods {
  RunPodSandbox: {request: {config: SandboxMetadata}; response: {podSandboxId: string}}
  StopPodSandbox: {request: {podSandboxId: string}; response: unknown}
  RemovePodSandbox: {request: {podSandboxId: string}; response: unknown}
  PodSandboxStatus: {request: {podSandboxId: string}; response: CriSandbox}
  ListPodSandbox: {request: ListRequest; response: readonly CriSandbox[]}
  CreateContainer: {request: {podSandboxId: string; config: ContainerConfig}; response: {containerId: string}}
  StartContainer: {request: {containerId: string}; response: unknown}
  /** Timeout in seconds: SIGTERM, then SIGKILL after it. Answers when the container has ended. */
  StopContainer: {request: {containerId: string; timeout: number}; response: unknown}
  RemoveContainer: {request: {containerId: string}; response: unknown}
  ListContainers: {request: ListRequest; response: readonly CriContainer[]}
  ContainerStatus: {request: {containerId: string}; response: CriContainerStatus}
  ExecSync: {request: {containerId: string; cmd: readonly string[]; timeout: number}; response: {exitCode: number; stdout?: string}}
  ImageStatus: {request: {image: string}; response: {present: boolean}}
  PullImage: {request: {image: string}; response: {imageRef: string}}
}
