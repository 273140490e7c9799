// What a real runtime is told of a sandbox and of a container. Upstream: kuberuntime/kuberuntime_sandbox.go, kuberuntime_container.go, labels.go
//
// A pod's DNS and its ports are not modelled.
import {create, type MessageInitShape} from '@bufbuild/protobuf'
import type {ContainerConfig, SandboxMetadata} from '../../kubelet/cri.ts'
import {
  type ContainerConfigSchema,
  NamespaceMode,
  NamespaceOptionSchema,
  type PodSandboxConfigSchema,
} from '../../wire/gen/cri-config_pb.ts'
import type {KnownPods} from './known-pods.ts'
import type {PodFiles} from './pod-files.ts'
import type {PodLogs} from './pod-logs.ts'

export const podNameLabel = 'io.kubernetes.pod.name'
export const podNamespaceLabel = 'io.kubernetes.pod.namespace'
export const podUidLabel = 'io.kubernetes.pod.uid'
const containerNameLabel = 'io.kubernetes.container.name'

const ownNamespaces = create(NamespaceOptionSchema, {network: NamespaceMode.POD, pid: NamespaceMode.CONTAINER, ipc: NamespaceMode.POD})

export interface ConfigOptions {
  readonly logs: PodLogs
  /** Of the pods: empty as long as the kubelet makes no cgroups of its own. */
  readonly cgroupParent: string
  /** Of the kubelet's paths. */
  readonly realPath: (path: string) => string
  /** Whose sandboxes have the labels and annotations of their pods. */
  readonly knownPods?: KnownPods
  /** Default: containers get nothing but what they ask for. */
  readonly files?: PodFiles
}

export function podSandboxConfig(
  metadata: SandboxMetadata,
  {logs, cgroupParent, knownPods}: ConfigOptions,
): MessageInitShape<typeof PodSandboxConfigSchema> {
  const {labels = {}, annotations = {}} = knownPods?.(metadata.uid) ?? {}
  return {
    metadata,
    hostname: hostnameOf(metadata.name),
    logDirectory: logs.directory(metadata),
    labels: {...labels, ...podLabels(metadata)},
    annotations: {...annotations},
    linux: {
      cgroupParent,
      securityContext: {namespaceOptions: ownNamespaces},
    },
  }
}

export function containerConfig(
  config: ContainerConfig,
  pod: SandboxMetadata,
  {logs, realPath}: ConfigOptions,
): MessageInitShape<typeof ContainerConfigSchema> {
  const {metadata, image, command, annotations = {}, mounts = [], devices = []} = config
  return {
    metadata,
    image: {image, userSpecifiedImage: image},
    command: [...command],
    mounts: mounts.map((mount) => ({...mount, hostPath: realPath(mount.hostPath)})),
    devices: devices.map((device) => ({...device, hostPath: realPath(device.hostPath)})),
    labels: {...podLabels(pod), [containerNameLabel]: metadata.name},
    annotations: {...annotations},
    logPath: logs.path(metadata),
    linux: {
      securityContext: {
        namespaceOptions: ownNamespaces,
        maskedPaths,
        readonlyPaths,
      },
    },
  }
}

function podLabels({name, namespace, uid}: SandboxMetadata): Record<string, string> {
  return {[podNameLabel]: name, [podNamespaceLabel]: namespace, [podUidLabel]: uid}
}

/** What Linux takes for a host's name. Upstream: truncatePodHostnameIfNeeded */
const hostnameOf = (podName: string): string => podName.slice(0, 63).replace(/[-.]+$/, '')

// Upstream: securitycontext/util.go. A runtime hides what it is told to hide, and nothing else.
const maskedPaths = ['acpi', 'kcore', 'keys', 'latency_stats', 'timer_list', 'timer_stats', 'sched_debug', 'scsi']
  .map((name) => `/proc/${name}`)
  .concat('/sys/firmware')
const readonlyPaths = ['asound', 'bus', 'fs', 'irq', 'sys', 'sysrq-trigger'].map((name) => `/proc/${name}`)
