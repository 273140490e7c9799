// Stops containers. Upstream: kuberuntime/kuberuntime_container.go, killContainer; kuberuntime/kuberuntime_manager.go, killPodWithSyncResult
import type {CriContainer, CriSandbox} from '../cri.ts'
import {type Pod, podKey} from '../pod.ts'
import {isFailure} from '../port.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import type {RemoteRuntime} from './remote-runtime.ts'
import type {PodSyncResult, SyncResult} from './sync-result.ts'

export interface ContainerKiller {
  /**
   * @param pod undefined of a pod that only the runtime knows
   * @param graceOverride seconds
   */
  killContainer(pod: Pod | undefined, container: CriContainer, graceOverride?: number): Promise<void>
  /** All containers at once, then the sandboxes one by one. */
  killPod(pod: Pod | undefined, things: ThingsToKill, graceOverride?: number): Promise<PodSyncResult>
  /**
   * The kubelet writes a pod's grace on each container that it makes, and reads it there when it does not know the pod any more. Here it is kept
   * of all pods that were ever seen: of one that went while the kubelet was down it is lost.
   */
  rememberGrace(pod: Pod): void
}

export interface ThingsToKill {
  readonly containers: readonly CriContainer[]
  readonly sandboxes: readonly CriSandbox[]
}

const minimumGracePeriodInSeconds = 2

/** What the API server gives a pod that says nothing. */
const defaultGrace = 30

export function containerKiller(profile: Profile, runtime: RemoteRuntime, log: KubeletPorts['log'], signal: AbortSignal): ContainerKiller {
  const floorLast = profile.switches.has('grace-floor-last')
  const goneIsStopped = profile.switches.has('gone-is-stopped')
  const graces = new Map<string, number>()

  const graceOf = (pod: Pod | undefined, uid: string, override: number | undefined): number => {
    const asked = pod?.metadata.deletionGracePeriodSeconds ?? pod?.spec.terminationGracePeriodSeconds ?? graces.get(uid) ?? defaultGrace
    if (floorLast) return Math.max(override ?? asked, minimumGracePeriodInSeconds)
    return override ?? Math.max(asked, minimumGracePeriodInSeconds)
  }

  const unlessGone = async (call: Promise<unknown>): Promise<void> => {
    try {
      await call
    } catch (error) {
      if (!(goneIsStopped && isFailure(error, 'NOT_FOUND'))) throw error
    }
  }

  const killContainer = async (pod: Pod | undefined, container: CriContainer, override?: number): Promise<void> => {
    const timeout = graceOf(pod, container.pod.uid, override)
    try {
      await unlessGone(runtime('StopContainer', {containerId: container.id, timeout}))
    } catch (error) {
      signal.throwIfAborted()
      const fields = {containerName: container.metadata.name, containerID: container.id, gracePeriod: timeout, err: String(error)}
      log({text: 'Container termination failed with gracePeriod', pod: podKey({metadata: container.pod}), fields})
      throw error
    }
  }

  return {
    killContainer,
    killPod: async (pod, {containers, sandboxes}, override) => {
      const syncResults: SyncResult[] = await Promise.all(
        containers.map(async (container): Promise<SyncResult> => {
          const result = {action: 'KillContainer', container: container.metadata.name} as const
          try {
            await killContainer(pod, container, override)
            return result
          } catch (error) {
            signal.throwIfAborted()
            return {...result, error: {reason: 'KillContainerError', message: String(error)}}
          }
        }),
      )
      // A container that could not be stopped does not keep the sandbox from being stopped, which ends it, too.
      for (const sandbox of sandboxes) {
        try {
          await unlessGone(runtime('StopPodSandbox', {podSandboxId: sandbox.id}))
          syncResults.push({action: 'KillPodSandbox', container: sandbox.metadata.uid})
        } catch (error) {
          signal.throwIfAborted()
          syncResults.push({
            action: 'KillPodSandbox',
            container: sandbox.metadata.uid,
            error: {reason: 'KillPodSandboxError', message: String(error)},
          })
        }
      }
      return {syncResults}
    },
    rememberGrace: ({metadata, spec}) => void graces.set(metadata.uid, spec.terminationGracePeriodSeconds),
  }
}
