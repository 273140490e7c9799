// What the runtime has of pods with something that runs. Upstream: kubelet_pods.go, GetRunningPods; container/runtime.go, ToAPIPod
import type {CriPort} from '../../kubelet/ports.ts'
import {remoteRuntime} from '../../kubelet/runtime/remote-runtime.ts'
import {runningOf, runtimePodLister} from '../../kubelet/runtime/runtime-pods.ts'
import type {JsonObject} from '../api/json.ts'

export function runningPods(cri: CriPort, signal: AbortSignal): () => Promise<readonly JsonObject[]> {
  const list = runtimePodLister(remoteRuntime(cri, signal))
  return async () =>
    [...runningOf(await list()).values()].map(({uid, namespace, name, containers}) => ({
      metadata: {name, namespace, uid, creationTimestamp: null},
      spec: {containers: containers.map(({metadata, image}) => ({name: metadata.name, image, resources: {}}))},
      status: {},
    }))
}
