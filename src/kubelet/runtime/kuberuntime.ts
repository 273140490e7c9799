// Makes a pod run as it should. Upstream: kuberuntime/kuberuntime_manager.go, SyncPod

import type {CriContainerStatus} from '../cri.ts'
import {type Container, type Pod, podKey} from '../pod.ts'
import type {Profile} from '../profiles.ts'
import type {BackOff} from './back-off.ts'
import {computePodActions} from './compute-pod-actions.ts'
import type {ContainerKiller, ThingsToKill} from './kill-container.ts'
import type {RemoteRuntime} from './remote-runtime.ts'
import type {RuntimePodStatus} from './runtime-pod.ts'
import type {ContainerStarter, StartOutcome} from './start-container.ts'
import {errorOf, type PodSyncResult, type SyncAction, type SyncResult} from './sync-result.ts'

export interface KubeRuntimeOptions {
  readonly profile: Profile
  readonly runtime: RemoteRuntime
  readonly killer: ContainerKiller
  readonly start: ContainerStarter
  /** Of containers that crash. */
  readonly backOff: BackOff
  readonly signal: AbortSignal
}

export type RuntimeSyncPod = (pod: Pod, status: RuntimePodStatus) => Promise<PodSyncResult>

/** What of a pod is to be stopped. Upstream: ConvertPodStatusToRunningPod */
export const runningThings = ({containers, sandboxes}: RuntimePodStatus): ThingsToKill => ({
  containers: containers.filter(({state}) => state === 'RUNNING'),
  sandboxes,
})

export function kubeRuntime({profile, runtime, killer, start, backOff, signal}: KubeRuntimeOptions): RuntimeSyncPod {
  const outcomeOf = async (step: Promise<unknown>, action: SyncAction, container: string, reason: string): Promise<SyncResult> => {
    try {
      await step
      return {action, container}
    } catch (error) {
      signal.throwIfAborted()
      return {action, container, error: {reason, message: String(error)}}
    }
  }

  const createPodSandbox = async ({metadata}: Pod, attempt: number): Promise<string> => {
    const {namespace, name, uid} = metadata
    return (await runtime('RunPodSandbox', {config: {namespace, name, uid, attempt}})).podSandboxId
  }

  /** A container that has ended waits before it is started again, counted from its end. */
  const doBackOff = (pod: Pod, container: Container, status: RuntimePodStatus): StartOutcome | undefined => {
    const ended = status.containers.find(({metadata, state}) => metadata.name === container.name && state === 'EXITED')
    if (ended === undefined) return undefined
    const key = `${pod.metadata.name}_${pod.metadata.namespace}_${pod.metadata.uid}_${container.name}`
    if (!backOff.isInBackOffSince(key, ended.finishedAt)) {
      backOff.next(key, ended.finishedAt)
      return undefined
    }
    const wait = backOff.get(key)
    const message = `back-off ${wait / 1000}s restarting failed container=${container.name} pod=${podKey(pod)}`
    return {error: {reason: 'CrashLoopBackOff', message}, backOffUntil: ended.finishedAt + wait}
  }

  /** Init containers whose sandbox is gone run again: what is left of them goes. Of others all but the newest do. */
  const removeInitContainers = async (pod: Pod, status: RuntimePodStatus, keep: 0 | 1): Promise<void> => {
    for (const {name} of pod.spec.initContainers ?? []) {
      const old = status.containers.filter(({metadata, state}) => metadata.name === name && (keep === 0 || isOver(state))).slice(keep)
      for (const {id} of old) await runtime('RemoveContainer', {containerId: id}).catch(() => signal.throwIfAborted())
    }
  }

  return async (pod, status) => {
    const syncResults: SyncResult[] = []
    const result: PodSyncResult = {syncResults}
    const actions = computePodActions(profile, pod, status)
    if (actions.killPod) {
      const killed = await killer.killPod(pod, runningThings(status))
      syncResults.push(...killed.syncResults)
      if (errorOf(killed) !== undefined) return result
      if (actions.createSandbox) await removeInitContainers(pod, status, 0)
    } else {
      for (const container of actions.containersToKill) {
        const killed = await outcomeOf(killer.killContainer(pod, container), 'KillContainer', container.metadata.name, 'KillContainerError')
        syncResults.push(killed)
        if (killed.error !== undefined) return result
      }
    }
    await removeInitContainers(pod, status, 1)

    let sandboxId = actions.sandboxId ?? ''
    if (actions.createSandbox) {
      const created = createPodSandbox(pod, actions.attempt)
      const outcome = await outcomeOf(created, 'CreatePodSandbox', podKey(pod), 'CreatePodSandboxError')
      syncResults.push(outcome)
      if (outcome.error !== undefined) return result
      sandboxId = await created
      try {
        await runtime('PodSandboxStatus', {podSandboxId: sandboxId})
      } catch (error) {
        signal.throwIfAborted()
        return {...result, syncError: String(error)}
      }
    }

    const startOne = async (container: Container): Promise<boolean> => {
      const outcome = doBackOff(pod, container, status) ?? (await start(pod, container, sandboxId, status))
      syncResults.push({action: 'StartContainer', container: container.name, ...outcome})
      return outcome.error === undefined
    }
    const init = actions.nextInitContainerToStart
    if (init !== undefined && !(await startOne(init))) return result
    for (const container of actions.containersToStart) await startOne(container)
    return result
  }
}

const isOver = (state: CriContainerStatus['state']): boolean => state === 'EXITED' || state === 'UNKNOWN'
