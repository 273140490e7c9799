// Pulls, creates, starts, and runs the hook after. Upstream: kuberuntime/kuberuntime_container.go, startContainer

import type {ContainerConfig} from '../cri.ts'
import type {Container, Pod} from '../pod.ts'
import {generateContainerConfig} from './container-config.ts'
import type {ImageManager} from './image-manager.ts'
import type {ContainerKiller} from './kill-container.ts'
import type {MountedVolumes} from './make-mounts.ts'
import type {RemoteRuntime} from './remote-runtime.ts'
import {type RuntimePodStatus, statusByName} from './runtime-pod.ts'
import type {SyncResult} from './sync-result.ts'

export interface ContainerStarterOptions {
  readonly runtime: RemoteRuntime
  readonly images: ImageManager
  readonly killer: ContainerKiller
  /** Of a pod, by their names in it. */
  readonly mountedVolumes: (pod: Pod) => MountedVolumes
  readonly signal: AbortSignal
}

/** Why it did not start; nothing when it did. */
export type StartOutcome = Pick<SyncResult, 'error' | 'backOffUntil'>

export type ContainerStarter = (pod: Pod, container: Container, sandboxId: string, status: RuntimePodStatus) => Promise<StartOutcome>

export function containerStarter({runtime, images, killer, mountedVolumes, signal}: ContainerStarterOptions): ContainerStarter {
  const failed = (reason: string, error: unknown): StartOutcome => {
    signal.throwIfAborted()
    return {error: {reason, message: error instanceof Error ? error.message : String(error)}}
  }
  return async (pod, container, sandboxId, status) => {
    const missing = await images.ensureImageExists(pod, container)
    if (missing !== undefined) return {error: missing}

    const before = statusByName(status, container.name)
    const metadata = {name: container.name, attempt: before === undefined ? 0 : before.metadata.attempt + 1}
    let config: ContainerConfig
    try {
      config = generateContainerConfig(pod, container, metadata.attempt, mountedVolumes(pod))
    } catch (error) {
      return failed('CreateContainerConfigError', error)
    }
    let containerId: string
    try {
      containerId = (await runtime('CreateContainer', {podSandboxId: sandboxId, config})).containerId
    } catch (error) {
      return failed('CreateContainerError', error)
    }

    try {
      await runtime('StartContainer', {containerId})
    } catch (error) {
      return failed('RunContainerError', error)
    }

    const cmd = container.lifecycle?.postStart?.exec.command
    if (cmd === undefined) return {}
    try {
      const {exitCode} = await runtime('ExecSync', {containerId, cmd, timeout: 0})
      if (exitCode === 0) return {}
      throw new Error(`command '${cmd.join(' ')}' exited with ${exitCode}`)
    } catch (error) {
      // Up to 1.21 the reason went on with the error's text.
      const outcome = failed('PostStartHookError', error)
      const {namespace, name, uid} = pod.metadata
      const started = {
        id: containerId,
        podSandboxId: sandboxId,
        pod: {namespace, name, uid},
        metadata,
        image: container.image,
        state: 'RUNNING',
        createdAt: 0,
      } as const
      // That it could not be killed is logged, and the hook's failure is what is told.
      await killer.killContainer(pod, started).catch(() => signal.throwIfAborted())
      return outcome
    }
  }
}
