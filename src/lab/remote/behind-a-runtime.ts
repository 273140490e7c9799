// What somebody does at a real runtime without the kubelet, as with `crictl stop -t 0` and `crictl rm -f`.
import {UserError} from '../../base/errors.ts'
import type {CriContainer} from '../../kubelet/cri.ts'
import type {CriPort} from '../../kubelet/ports.ts'
import type {BehindTheBack} from '../runtime/behind-the-back.ts'
import {sigkilled} from '../runtime/process.ts'
import type {RuntimeWatch} from './runtime-watch.ts'

const patience = {timeoutMs: 30_000}

/** @param port that no rule is about */
export function behindARuntime(port: CriPort, {containers, look}: RuntimeWatch): BehindTheBack {
  const newest = async (pod: string, name: string, running: boolean): Promise<CriContainer> => {
    await look()
    const found = [...containers.values()]
      .filter((each) => each.metadata.name === name && `${each.pod.namespace}/${each.pod.name}` === pod)
      .findLast(({state}) => !running || state === 'RUNNING')
    if (found !== undefined) return found
    const what = running ? 'a running container' : 'a container'
    throw new UserError(`Cannot do this to ${what} ${name} of ${pod} as the runtime must have it: it has none now`)
  }
  /** SIGKILL at once. */
  const kill = ({id: containerId}: CriContainer) => port.call('StopContainer', {containerId, timeout: 0}, patience)
  return {
    killContainer: async (pod, container, exitCode) => {
      if (exitCode !== sigkilled)
        throw new UserError(`Cannot end a container of a real runtime as its exit code must be ${sigkilled}: it is ${exitCode}`)
      await kill(await newest(pod, container, true))
      await look()
    },
    removeContainer: async (pod, container) => {
      const found = await newest(pod, container, false)
      if (found.state === 'RUNNING') {
        await kill(found)
        await look()
      }
      await port.call('RemoveContainer', {containerId: found.id}, patience)
      await look()
    },
    loseContainer: async () => {
      throw new UserError('Cannot make a real runtime lose sight of a container: only one in memory does as it is told')
    },
  }
}
