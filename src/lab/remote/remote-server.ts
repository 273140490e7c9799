// A real container runtime in the place of the fake one: what gets through the faults goes on to it. The kubelet is shown the lab's own pods and no others, for it
// ends what it does not know.
import type {CriContainer, CriMethods, CriSandbox} from '../../kubelet/cri.ts'
import type {CriPort} from '../../kubelet/ports.ts'
import type {CriMethod} from '../../kubelet/runtime/remote-runtime.ts'
import type {Caller, Server} from '../port/server.ts'
import type {NodeImages} from './node-images.ts'
import type {RuntimeWatch} from './runtime-watch.ts'
import {sameAsLast} from './same-as-last.ts'

export interface RemoteServerOptions {
  readonly port: CriPort
  readonly watch: RuntimeWatch
  readonly images: NodeImages
  readonly ourPods: Set<string>
  /** Volumes and devices of containers are on a disk that the runtime has, too. */
  readonly sameDisk: boolean
}

export function remoteServer({port, watch, images, ourPods, sameDisk}: RemoteServerOptions): Server<CriMethods> {
  const pass = <Method extends CriMethod>(method: Method, request: CriMethods[Method]['request'], {timeoutMs, signal}: Caller) =>
    port.call(method, request, {timeoutMs, signal})
  /** What it did is in the timeline before anybody hears of it, also when it failed. */
  const does =
    <Method extends CriMethod>(method: Method) =>
    async (request: CriMethods[Method]['request'], caller: Caller): Promise<CriMethods[Method]['response']> => {
      try {
        return await pass(method, request, caller)
      } finally {
        await watch.look()
      }
    }
  const sandboxes = sameAsLast<readonly CriSandbox[]>()
  const containers = sameAsLast<readonly CriContainer[]>()
  const runSandbox = does('RunPodSandbox')
  const createContainer = does('CreateContainer')
  return {
    RunPodSandbox: (request, caller) => {
      ourPods.add(request.config.uid)
      return runSandbox(request, caller)
    },
    StopPodSandbox: does('StopPodSandbox'),
    RemovePodSandbox: does('RemovePodSandbox'),
    PodSandboxStatus: async (request, caller) => {
      const status = await pass('PodSandboxStatus', request, caller)
      await watch.heed([status])
      return status
    },
    ListPodSandbox: async (request, caller) => {
      const list = (await pass('ListPodSandbox', request, caller)).filter(({metadata}) => ourPods.has(metadata.uid))
      await watch.heed(list)
      return request.podUid === undefined ? sandboxes(list) : list
    },
    CreateContainer: ({podSandboxId, config}, caller) => {
      const {mounts: _, devices: _devices, ...bare} = config
      const image = images(config.image) ?? config.image
      return createContainer({podSandboxId, config: {...(sameDisk ? config : bare), image}}, caller)
    },
    StartContainer: does('StartContainer'),
    StopContainer: does('StopContainer'),
    RemoveContainer: does('RemoveContainer'),
    ListContainers: async (request, caller) => {
      const list = (await pass('ListContainers', request, caller)).filter(({pod}) => ourPods.has(pod.uid))
      await watch.heed(list)
      return request.podUid === undefined ? containers(list) : list
    },
    ContainerStatus: async (request, caller) => {
      const status = await pass('ContainerStatus', request, caller)
      await watch.heed([status])
      return status
    },
    ExecSync: (request, caller) => pass('ExecSync', request, caller),
    ImageStatus: ({image}, caller) => pass('ImageStatus', {image: images(image) ?? image}, caller),
    PullImage: async ({image}, caller) => {
      const imageRef = images(image)
      return imageRef === undefined ? pass('PullImage', {image}, caller) : {imageRef}
    },
  }
}
