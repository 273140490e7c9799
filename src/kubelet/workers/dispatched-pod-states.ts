// When a pod has volumes and when it may lose them, up to 1.21. Upstream: volumemanager/populator/desired_state_of_world_populator.go

import {type RuntimePods, runningOf} from '../runtime/runtime-pods.ts'
import type {PodStates} from '../volumes/pod-states.ts'
import {podIsTerminated} from './dispatch-work.ts'
import type {PodLifecycleOptions} from './pod-lifecycle.ts'

/** Listing what runs costs the runtime much. */
const retryDuration = 2000

export function dispatchedPodStates(
  options: Pick<PodLifecycleOptions, 'profile' | 'ports' | 'statusManager' | 'getPods' | 'signal'>,
): PodStates {
  const {profile, ports, statusManager, getPods, signal} = options
  const {clock, log} = ports
  const sandboxesAwaited = profile.switches.has('sandboxes-awaited')
  let listedAt = Number.NEGATIVE_INFINITY

  const runs = (running: RuntimePods, uid: string): boolean => {
    const pod = running.get(uid)
    return pod !== undefined && (pod.containers.length > 0 || (sandboxesAwaited && pod.sandboxes.length > 0))
  }
  const list = async (): Promise<RuntimePods | undefined> => {
    try {
      const pods = runningOf(await getPods())
      listedAt = clock.now()
      return pods
    } catch (error) {
      signal.throwIfAborted()
      log({text: 'kubeContainerRuntime.findAndRemoveDeletedPods returned error', fields: {err: String(error)}})
      return undefined
    }
  }

  return {
    wantsVolumes: (pod) => !podIsTerminated(statusManager, pod),
    removalPass: () => {
      if (clock.now() - listedAt < retryDuration) return undefined
      let running: RuntimePods | undefined
      const hasStopped = async (uid: string): Promise<boolean> => {
        running ??= await list()
        return running !== undefined && !runs(running, uid)
      }
      return {
        mayLoseVolumes: (uid, pod) => (pod === undefined || podIsTerminated(statusManager, pod) ? hasStopped(uid) : false),
      }
    },
  }
}
