// What the kubelet does with pods, whichever kind of pod workers it has. Upstream: the SyncHandler of kubelet.go

import type {PodCache} from '../pleg/pod-cache.ts'
import type {Pod, PodStatus} from '../pod.ts'
import type {PodManager} from '../pod-manager.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import type {ReasonCache} from '../reason-cache.ts'
import type {BackOff} from '../runtime/back-off.ts'
import type {ContainerKiller} from '../runtime/kill-container.ts'
import type {RuntimeSyncPod} from '../runtime/kuberuntime.ts'
import type {RemoteRuntime} from '../runtime/remote-runtime.ts'
import type {RuntimeCache} from '../runtime/runtime-cache.ts'
import type {RuntimePodStatus} from '../runtime/runtime-pod.ts'
import type {RuntimePods} from '../runtime/runtime-pods.ts'
import type {StatusManager} from '../status-manager.ts'
import type {PodStates} from '../volumes/pod-states.ts'
import type {VolumeManager} from '../volumes/volume-manager.ts'
import type {WorkQueue} from './work-queue.ts'

export type SyncType = 'create' | 'update' | 'sync'

export interface PodLifecycle {
  /** The pod is new, has changed, or is due. */
  update(pod: Pod, type: SyncType): void
  /** Its object is gone from the API server. */
  remove(pod: Pod): Promise<void>
  evict(pod: Pod, message: string): void
  /** A readiness probe says something else than before. */
  readinessChanged(pod: Pod): void
  /** Upstream: HandlePodCleanups */
  housekeeping(): Promise<void>
  /** Nothing that the runtime has of the pod is needed any more. Upstream: IsPodDeleted, ShouldPodContentBeRemoved */
  contentMayGo(uid: string): boolean
  /** Whether all ended containers may go, when one has ended. */
  endedMayGo(uid: string, status: RuntimePodStatus): boolean
  couldHaveRunningContainers(uid: string): boolean
  readonly podStates: PodStates
}

/** What both kinds of pod workers stand on. */
export interface PodLifecycleOptions {
  readonly profile: Profile
  readonly ports: KubeletPorts
  readonly signal: AbortSignal
  readonly podManager: PodManager
  readonly statusManager: StatusManager
  readonly reasonCache: ReasonCache
  readonly cache: PodCache
  readonly queue: WorkQueue
  readonly runtime: RemoteRuntime
  readonly runtimeCache: RuntimeCache
  readonly syncRuntime: RuntimeSyncPod
  readonly killer: ContainerKiller
  /** What the runtime lists now. Upstream: GetPods */
  readonly getPods: () => Promise<RuntimePods>
  readonly volumes: VolumeManager
  readonly backOff: BackOff
  /** The pod is to be looked at again, as something has been done to it. */
  readonly requestRelist: (uid: string) => void
  readonly generate: (pod: Pod, status: RuntimePodStatus, podIsTerminal: boolean) => PodStatus
  /** Goes on beside; only the end of the kubelet may make it fail. */
  readonly spawn: (work: Promise<unknown>) => void
}

export const evictedReason = 'Evicted'

export const podIsEvicted = ({phase, reason}: PodStatus): boolean => phase === 'Failed' && reason === evictedReason

/** Upstream: notRunning. Init containers are not looked at. */
export const notRunning = ({containerStatuses}: PodStatus): boolean => containerStatuses.every(({state}) => !('running' in state))
