// Each of the kubelet's calls as a real runtime takes it. Upstream: cri-client/pkg/remote_runtime.go, remote_image.go
import type {Client} from '@connectrpc/connect'
import type {ScaledClock} from '../../base/scaled-clock.ts'
import type {CriMethods, ListRequest, SandboxMetadata} from '../../kubelet/cri.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type * as v1 from '../../wire/gen/cri_pb.ts'
import type {Within} from './call-within.ts'
import {containerOf, containerStatusOf, inOrder, sandboxOf} from './cri-answers.ts'
import {type ConfigOptions, containerConfig, podSandboxConfig, podUidLabel} from './cri-configs.ts'
import {sameAsLast} from './same-as-last.ts'

export interface HandlerOptions extends ConfigOptions {
  readonly clock: ScaledClock
}

export type Runtime = Pick<
  Client<typeof v1.RuntimeService>,
  | 'version'
  | 'runPodSandbox'
  | 'stopPodSandbox'
  | 'removePodSandbox'
  | 'podSandboxStatus'
  | 'listPodSandbox'
  | 'createContainer'
  | 'startContainer'
  | 'stopContainer'
  | 'removeContainer'
  | 'listContainers'
  | 'containerStatus'
  | 'execSync'
>
export type Images = Pick<Client<typeof v1.ImageService>, 'imageStatus' | 'pullImage' | 'listImages'>

export interface Calls {
  readonly runtime: Runtime
  readonly images: Images
  readonly within: Within
}

export type CriHandlers = {
  readonly [Method in keyof CriMethods as string extends Method ? never : number extends Method ? never : Method]: (
    request: CriMethods[Method]['request'],
    calls: Calls,
  ) => Promise<CriMethods[Method]['response']>
}

export function criHandlers(options: HandlerOptions): CriHandlers {
  const {clock, logs, files} = options
  const {fromReal} = clock
  /** What the runtime was seen to have: calls for one thing name its id alone. */
  const sandboxes = new Map<string, SandboxMetadata>()
  const containers = new Map<string, {readonly podSandboxId: string; readonly name: string; readonly attempt: number}>()
  const sameSandboxes = sameAsLast<CriMethods['ListPodSandbox']['response']>()
  const sameContainers = sameAsLast<CriMethods['ListContainers']['response']>()
  /** Its programs run in real time. Rounded up: whoever is given some time is given some. */
  const realSeconds = (seconds: number) => BigInt(Math.ceil(seconds / clock.scale))
  const sandboxStatus = async (podSandboxId: string, {runtime, within}: Calls) => {
    const {status} = await runtime.podSandboxStatus({podSandboxId}, within)
    const sandbox = status === undefined ? undefined : sandboxOf(status, fromReal)
    if (sandbox === undefined) throw new CallFailure('NOT_FOUND', `sandbox "${podSandboxId}" is none of the kubelet's`)
    return sandbox
  }

  /** Upstream: the pod's data directories are there before its sandbox, and its containers' files before the runtime has to mount them. */
  const ownMounts = async (podSandboxId: string, pod: SandboxMetadata, container: string, {runtime, within}: Calls) => {
    if (files === undefined) return []
    const {status} = await runtime.podSandboxStatus({podSandboxId}, within)
    return files.makeMounts(pod, container, status?.network?.ip ?? '')
  }

  return {
    RunPodSandbox: async ({config}, {runtime, within}) => {
      await files?.makeDataDirs(config.uid)
      const {podSandboxId} = await runtime.runPodSandbox({config: podSandboxConfig(config, options)}, within)
      sandboxes.set(podSandboxId, config)
      return {podSandboxId}
    },
    StopPodSandbox: ({podSandboxId}, {runtime, within}) => runtime.stopPodSandbox({podSandboxId}, within),
    RemovePodSandbox: async ({podSandboxId}, {runtime, within}) => {
      await runtime.removePodSandbox({podSandboxId}, within)
      const pod = sandboxes.get(podSandboxId)
      sandboxes.delete(podSandboxId)
      if (pod !== undefined && ![...sandboxes.values()].some(({uid}) => uid === pod.uid)) await logs.removePod(pod)
      return {}
    },
    PodSandboxStatus: ({podSandboxId}, calls) => sandboxStatus(podSandboxId, calls),
    ListPodSandbox: async (request, {runtime, within}) => {
      const {items} = await runtime.listPodSandbox(filterOf(request), within)
      const list = inOrder(items).flatMap((each) => sandboxOf(each, fromReal) ?? [])
      if (request.podUid !== undefined) return list
      for (const {id, metadata} of list) sandboxes.set(id, metadata)
      return sameSandboxes(list)
    },
    CreateContainer: async ({podSandboxId, config}, calls) => {
      const {runtime, within} = calls
      const pod = sandboxes.get(podSandboxId) ?? (await sandboxStatus(podSandboxId, calls)).metadata
      await logs.make(pod, config.metadata)
      const own = await ownMounts(podSandboxId, pod, config.metadata.name, calls)
      const wanted = {...config, mounts: [...(config.mounts ?? []), ...own]}
      const request = {podSandboxId, config: containerConfig(wanted, pod, options), sandboxConfig: podSandboxConfig(pod, options)}
      const {containerId} = await runtime.createContainer(request, within)
      containers.set(containerId, {podSandboxId, ...config.metadata})
      return {containerId}
    },
    StartContainer: ({containerId}, {runtime, within}) => runtime.startContainer({containerId}, within),
    StopContainer: ({containerId, timeout}, {runtime, within}) =>
      runtime.stopContainer({containerId, timeout: realSeconds(timeout)}, within),
    RemoveContainer: async ({containerId}, {runtime, within}) => {
      await runtime.removeContainer({containerId}, within)
      const container = containers.get(containerId)
      containers.delete(containerId)
      const pod = sandboxes.get(container?.podSandboxId ?? '')
      if (container !== undefined && pod !== undefined) await logs.removeContainer(pod, container)
      return {}
    },
    ListContainers: async (request, {runtime, within}) => {
      const {containers: items} = await runtime.listContainers(filterOf(request), within)
      const list = inOrder(items).flatMap((each) => containerOf(each, fromReal) ?? [])
      if (request.podUid !== undefined) return list
      for (const {id, podSandboxId, metadata} of list) containers.set(id, {podSandboxId, ...metadata})
      return sameContainers(list)
    },
    ContainerStatus: async ({containerId}, {runtime, within}) => {
      const {status} = await runtime.containerStatus({containerId}, within)
      if (status === undefined) throw new CallFailure('NOT_FOUND', `container "${containerId}" has no status`)
      return containerStatusOf(status, containers.get(containerId)?.podSandboxId ?? '', fromReal)
    },
    ExecSync: async ({containerId, cmd, timeout}, {runtime, within}) => {
      const {exitCode} = await runtime.execSync({containerId, cmd: [...cmd], timeout: realSeconds(timeout)}, within)
      return {exitCode}
    },
    ImageStatus: async ({image}, {images, within}) => ({present: (await images.imageStatus({image: {image}}, within)).image !== undefined}),
    PullImage: async ({image}, {images, within}) => {
      const {imageRef} = await images.pullImage({image: {image}}, within)
      return {imageRef}
    },
  }
}

const filterOf = ({podUid}: ListRequest) => (podUid === undefined ? {} : {filter: {labelSelector: {[podUidLabel]: podUid}}})
