// What the runtime's two lists say, by pod. Upstream: kuberuntime/kuberuntime_manager.go, GetPods
import {oncePer} from '../../base/once-per.ts'
import type {CriContainer, CriSandbox} from '../cri.ts'
import type {RemoteRuntime} from './remote-runtime.ts'
import type {RuntimePod} from './runtime-pod.ts'

export type RuntimePods = ReadonlyMap<string, RuntimePod>

/** Lists that are the same objects as the last ones give the same map, so that who asks again need not look again. */
export function runtimePodLister(runtime: RemoteRuntime): () => Promise<RuntimePods> {
  let last: {sandboxes: readonly CriSandbox[]; containers: readonly CriContainer[]; pods: RuntimePods} | undefined
  return async () => {
    const sandboxes = await runtime('ListPodSandbox', {})
    const containers = await runtime('ListContainers', {})
    if (last?.sandboxes !== sandboxes || last.containers !== containers) last = {sandboxes, containers, pods: byPod(sandboxes, containers)}
    return last.pods
  }
}

/** The lists narrowed to one pod: the request says which, for a runtime that can do it. Upstream: GetPod */
export async function runtimePodOf(runtime: RemoteRuntime, uid: string): Promise<RuntimePod | undefined> {
  const sandboxes = await runtime('ListPodSandbox', {podUid: uid})
  const containers = await runtime('ListContainers', {podUid: uid})
  return byPod(
    sandboxes.filter(({metadata}) => metadata.uid === uid),
    containers.filter(({pod}) => pod.uid === uid),
  ).get(uid)
}

/** In the order of the lists, sandboxes' first. */
function byPod(sandboxes: readonly CriSandbox[], containers: readonly CriContainer[]): RuntimePods {
  const pods = new Map<string, RuntimePod & {sandboxes: CriSandbox[]; containers: CriContainer[]}>()
  const podOf = ({uid, namespace, name}: {uid: string; namespace: string; name: string}) => {
    const pod = pods.get(uid) ?? {uid, namespace, name, sandboxes: [], containers: []}
    if (pod.sandboxes.length + pod.containers.length === 0) pods.set(uid, pod)
    return pod
  }
  for (const sandbox of sandboxes) podOf(sandbox.metadata).sandboxes.push(sandbox)
  for (const container of containers) podOf(container.pod).containers.push(container)
  return pods
}

/** Pods with anything that runs, with that alone. Upstream: GetPods(false) */
export const runningOf: (pods: RuntimePods) => RuntimePods = oncePer((pods) => {
  const running = new Map<string, RuntimePod>()
  for (const [uid, pod] of pods) {
    const sandboxes = pod.sandboxes.filter(({state}) => state === 'READY')
    const containers = pod.containers.filter(({state}) => state === 'RUNNING')
    if (sandboxes.length + containers.length > 0) running.set(uid, {...pod, sandboxes, containers})
  }
  return running
})
