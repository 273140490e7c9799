// Removes dead containers and sandboxes once a minute. Upstream: kuberuntime/kuberuntime_gc.go
import type {CriContainer, CriSandbox} from '../cri.ts'
import type {ContainerKiller} from './kill-container.ts'
import type {RemoteRuntime} from './remote-runtime.ts'

export interface ContainerGc {
  /** @param allSourcesReady whether a pod that is not known is known to be gone */
  garbageCollect(allSourcesReady: boolean): Promise<void>
}

export interface ContainerGcOptions {
  readonly runtime: RemoteRuntime
  readonly killer: ContainerKiller
  /** Nothing of the pod is needed any more. */
  readonly contentMayGo: (uid: string) => boolean
  readonly signal: AbortSignal
}

const maxPerPodContainer = 1

export function containerGc({runtime, killer, contentMayGo, signal}: ContainerGcOptions): ContainerGc {
  const attempt = async (step: () => Promise<unknown>): Promise<void> => {
    // One that fails is logged upstream and met again a minute later.
    await step().catch(() => signal.throwIfAborted())
  }

  const evictContainers = async (allSourcesReady: boolean): Promise<void> => {
    const containers = await runtime('ListContainers', {})
    const dead = containers.filter(({state}) => state !== 'RUNNING')
    for (const unit of Map.groupBy(dead, ({pod, metadata}) => `${pod.uid} ${metadata.name}`).values()) {
      const all = allSourcesReady && contentMayGo(unit[0]?.pod.uid ?? '')
      // Oldest first.
      for (const container of newestFirst(unit)
        .slice(all ? 0 : maxPerPodContainer)
        .reverse())
        await attempt(() => remove(container))
    }
  }

  const remove = async (container: CriContainer): Promise<void> => {
    // It may run.
    if (container.state === 'UNKNOWN') await killer.killContainer(undefined, container)
    await runtime('RemoveContainer', {containerId: container.id})
  }

  const evictSandboxes = async (): Promise<void> => {
    const containers = await runtime('ListContainers', {})
    const sandboxes = await runtime('ListPodSandbox', {})
    const used = new Set(containers.map(({podSandboxId}) => podSandboxId))
    const active = ({id, state}: CriSandbox): boolean => state === 'READY' || used.has(id)
    for (const [uid, ofPod] of Map.groupBy(sandboxes, ({metadata}) => metadata.uid)) {
      const gone = newestFirst(ofPod).slice(contentMayGo(uid) ? 0 : 1)
      for (const {id: podSandboxId} of gone.filter((sandbox) => !active(sandbox)).reverse()) {
        await attempt(async () => {
          await runtime('StopPodSandbox', {podSandboxId})
          await runtime('RemovePodSandbox', {podSandboxId})
        })
      }
    }
  }

  return {
    garbageCollect: async (allSourcesReady) => {
      await attempt(() => evictContainers(allSourcesReady))
      await attempt(evictSandboxes)
    },
  }
}

const newestFirst = <T extends {readonly createdAt: number}>(things: readonly T[]): T[] =>
  things.toSorted((a, b) => b.createdAt - a.createdAt)
