// Everything known about a node at one moment, source by source.
import type {Container, PodSandbox} from '../wire/gen/cri_pb.ts'
import type {DriverSocket, Registration} from './csi/sockets.ts'
import type {DiskEntry} from './disk.ts'
import type {Healthz} from './healthz.ts'
import type {KeptCalls} from './kept-calls/kept-calls.ts'
import type {BlockDevice, Boot, ContainerProcess, MountLook} from './kernel/facts.ts'
import type {KubeletLogLine} from './kubelet-log.ts'
import type {SeenKubelet} from './kubelet-seen.ts'
import type {MetricSample} from './metrics.ts'
import type {Mount} from './mountinfo.ts'
import type {NodeStatus} from './node-status.ts'
import type {Pod} from './pod.ts'
import type {PodEvent} from './pod-event.ts'
import type {Reading} from './reading.ts'
import type {RuntimeAnswers} from './runtime/answers.ts'
import type {ContainerLook} from './runtime/container-look.ts'
import type {TakeoverJournal} from './takeover/takeover.ts'
import type {VolDataFile} from './vol-data.ts'

/** What each source yields. The keys are the names that reports use: `unseen`, `evidence`. */
export interface Sources {
  /** ListPodSandbox of the container runtime. */
  readonly 'runtime.sandboxes': readonly PodSandbox[]
  /** ListContainers of the container runtime, all states. */
  readonly 'runtime.containers': readonly Container[]
  /** What each container's own ContainerStatus says, and whether its process is there. */
  readonly 'runtime.container-status': readonly ContainerLook[]
  /** Whether the container runtime answers, call by call. */
  readonly 'runtime.answers': RuntimeAnswers
  /** The kubelet's /pods: what it wants and last reported. */
  readonly 'kubelet.pods': readonly Pod[]
  /** The kubelet's /runningpods: what its runtime cache has. */
  readonly 'kubelet.runningpods': readonly Pod[]
  readonly 'kubelet.healthz': Healthz
  readonly 'kubelet.metrics': readonly MetricSample[]
  readonly 'kubelet.log': readonly KubeletLogLine[]
  /** Every entry below the kubelet's root. */
  readonly 'disk.entries': readonly DiskEntry[]
  /** Every vol_data.json below the kubelet's root, as the kubelet would read it. */
  readonly 'disk.vol-data': readonly VolDataFile[]
  /** What a look at each mount point below the kubelet's root gave. */
  readonly 'disk.mounts': readonly MountLook[]
  /** Every socket in plugins_registry. */
  readonly 'csi.registrations': readonly Registration[]
  /** Every driver's own socket: those that registrations name, and those in plugins/. */
  readonly 'csi.drivers': readonly DriverSocket[]
  /** The kubelet's mount table. */
  readonly 'kernel.mounts': readonly Mount[]
  readonly 'kernel.devices': readonly BlockDevice[]
  readonly 'kernel.boot': Boot
  /** Processes of containers, by their cgroups. */
  readonly processes: readonly ContainerProcess[]
  readonly takeovers: readonly TakeoverJournal[]
  readonly 'api.pods': readonly Pod[]
  readonly 'api.events': readonly PodEvent[]
  readonly 'api.node': NodeStatus
}

export type SourceName = keyof Sources

export type Readings = {readonly [Name in SourceName]: Reading<Sources[Name]>}

export interface Snapshot {
  /** The node's name, empty when nobody said it. */
  readonly node: string
  /** Milliseconds since 1970: the moment the readings were taken, or the one that ages are to be counted to. */
  readonly when: number
  /** When the readings were taken, where `when` is another moment. */
  readonly takenAt?: number
  /** The kubelet's root directory, absolute, without a slash at its end. */
  readonly kubeletRoot: string
  /** The same with links resolved, when that is another path: the mount table has this one. */
  readonly kubeletRootReal?: string
  /** The bundle, where a replay of one was read. */
  readonly replayOf?: string
  /** Such as '1.26.5', when a source says it. */
  readonly kubeletVersion: string | undefined
  /** Absent when none was seen to run: it may have ended, or we cannot see it. */
  readonly kubeletProcess?: SeenKubelet
  readonly readings: Readings
  /** With them a bundle can answer a client; only of a node or a bundle that is to become one. */
  readonly calls?: KeptCalls
  /** Sources that a bundle names as not read and that this version of the tool has no use for: source to reason. */
  readonly unread: Readonly<Record<string, string>>
}

export const sourceNames = [
  'runtime.sandboxes',
  'runtime.containers',
  'runtime.container-status',
  'runtime.answers',
  'kubelet.pods',
  'kubelet.runningpods',
  'kubelet.healthz',
  'kubelet.metrics',
  'kubelet.log',
  'disk.entries',
  'disk.vol-data',
  'disk.mounts',
  'csi.registrations',
  'csi.drivers',
  'kernel.mounts',
  'kernel.devices',
  'kernel.boot',
  'processes',
  'takeovers',
  'api.pods',
  'api.events',
  'api.node',
] as const satisfies readonly SourceName[]
