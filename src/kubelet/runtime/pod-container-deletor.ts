// Removes what is left of containers that have ended, one after the other. Upstream: pod_container_deletor.go

import type {Dice} from '../../base/dice.ts'
import {Channel, select} from '../channel.ts'
import type {CriContainerStatus} from '../cri.ts'
import type {KubeletPorts} from '../ports.ts'
import type {RemoteRuntime} from './remote-runtime.ts'
import type {RuntimePodStatus} from './runtime-pod.ts'

export interface PodContainerDeletor {
  /** @param exited the container that ended: only those of its name are looked at, unless all go */
  deleteContainersInPod(exited: string, status: RuntimePodStatus, removeAll: boolean): void
}

export interface PodContainerDeletorOptions {
  readonly runtime: RemoteRuntime
  readonly dice: Dice
  readonly log: KubeletPorts['log']
  readonly signal: AbortSignal
  /** MaxPerPodContainer */
  readonly containersToKeep?: number
}

const bufferLimit = 50

export function getContainersToDeleteInPod(exited: string, status: RuntimePodStatus, keep: number): readonly CriContainerStatus[] {
  const matched = exited === '' ? undefined : status.containers.find(({id}) => id === exited)
  if (exited !== '' && matched === undefined) return []
  const candidates = status.containers.filter(
    ({state, metadata}) => state === 'EXITED' && (matched === undefined || matched.metadata.name === metadata.name),
  )
  return candidates.toSorted((a, b) => b.createdAt - a.createdAt).slice(keep)
}

export function startPodContainerDeletor({
  runtime,
  dice,
  log,
  signal,
  containersToKeep = 1,
}: PodContainerDeletorOptions): PodContainerDeletor {
  const buffer = new Channel<string>(bufferLimit)
  const work = async () => {
    for (;;) {
      const chosen = await select([buffer], dice, signal)
      const containerId = chosen.tryReceive()
      if (containerId === undefined) continue
      try {
        await runtime('RemoveContainer', {containerId})
      } catch (error) {
        signal.throwIfAborted()
        log({text: 'DeleteContainer returned error', fields: {containerID: containerId, err: String(error)}})
      }
    }
  }
  work().catch((error) => {
    if (!signal.aborted) throw error
  })
  return {
    deleteContainersInPod: (exited, status, removeAll) => {
      for (const {id} of getContainersToDeleteInPod(removeAll ? '' : exited, status, removeAll ? 0 : containersToKeep)) {
        if (!buffer.trySend(id)) log({text: 'Failed to issue the request to remove container', fields: {containerID: id}})
      }
    },
  }
}
