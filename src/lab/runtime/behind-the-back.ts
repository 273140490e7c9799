// What somebody does at the runtime without the kubelet, as with kill or `crictl rm -f`.
import {UserError} from '../../base/errors.ts'
import type {CriContainerState, CriContainerStatus} from '../../kubelet/cri.ts'
import type {RuntimeWorld} from './runtime-world.ts'

/** A real runtime takes its time for it: a promise tells when it is done. */
export interface BehindTheBack<Done = void | Promise<void>> {
  /** The process ends with that code. */
  killContainer(pod: string, container: string, exitCode: number): Done
  /** The newest of that name, killed first if it runs. */
  removeContainer(pod: string, container: string): Done
  /** The runtime loses sight of its process: the state becomes UNKNOWN. */
  loseContainer(pod: string, container: string): Done
}

/** @throws UserError when there is no such container: what was to happen has not happened */
export function behindTheBack(world: RuntimeWorld): BehindTheBack<void> {
  const newest = (pod: string, name: string, state?: CriContainerState): CriContainerStatus => {
    const found = world.containers
      .list()
      .filter((each) => each.metadata.name === name && `${each.pod.namespace}/${each.pod.name}` === pod)
      .findLast((each) => state === undefined || each.state === state)
    if (found !== undefined) return found
    const what = state === 'RUNNING' ? 'a running container' : 'a container'
    throw new UserError(`Cannot do this to ${what} ${name} of ${pod} as the runtime must have it: it has none now`)
  }
  return {
    killContainer: (pod, container, exitCode) => world.kill(newest(pod, container, 'RUNNING').id, exitCode),
    removeContainer: (pod, container) => {
      const {id} = newest(pod, container)
      const ended = world.ended(id)
      if (ended === undefined) return world.removeContainer(id)
      world.kill(id)
      void ended.then(() => world.removeContainer(id))
    },
    loseContainer: (pod, container) => world.lose(newest(pod, container, 'RUNNING').id),
  }
}
