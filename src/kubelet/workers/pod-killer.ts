// Kills pods that should not run, each once at a time, beside the workers: up to 1.21. Upstream: kubelet_pods.go, podKiller

import {type Pod, podKey} from '../pod.ts'
import type {KubeletPorts} from '../ports.ts'
import type {ContainerKiller} from '../runtime/kill-container.ts'
import type {RuntimePod} from '../runtime/runtime-pod.ts'
import {errorOf} from '../runtime/sync-result.ts'

export interface PodKiller {
  /** @param pod as the API server had it, where that is known */
  kill(running: RuntimePod, pod?: Pod): void
  /**
   * By namespace and name. Pods of which only the running containers are known are not found: upstream writes them down without the namespace,
   * and looks for them with it.
   */
  isPodPendingTermination(name: string): boolean
}

export function podKiller(killer: ContainerKiller, log: KubeletPorts['log'], spawn: (work: Promise<unknown>) => void): PodKiller {
  /** By uid. */
  const killing = new Map<string, string | undefined>()
  return {
    isPodPendingTermination: (name) => {
      for (const each of killing.values()) if (each === name) return true
      return false
    },
    kill: (running, pod) => {
      if (killing.has(running.uid)) return
      killing.set(running.uid, pod && podKey(pod))
      const name = podKey({metadata: running})
      const kill = async () => {
        log({text: 'Killing unwanted pod', pod: name})
        const error = errorOf(await killer.killPod(pod, running))
        if (error !== undefined) log({text: 'Failed killing the pod', pod: name, fields: {err: error.message}})
        killing.delete(running.uid)
      }
      spawn(kill())
    },
  }
}
