// Asks the runtime for each sandbox and container of a pod. Upstream: kuberuntime/kuberuntime_manager.go, GetPodStatus
import type {CriContainerStatus, CriSandbox} from '../cri.ts'
import {isFailure} from '../port.ts'
import type {RemoteRuntime} from './remote-runtime.ts'
import type {RuntimePod, RuntimePodStatus} from './runtime-pod.ts'

/**
 * By the ids of a list, as today. Up to 1.26 the kubelet listed the pod's containers once more here, so what was removed since the list was
 * not asked for at all; what was removed between this list and the question, some milliseconds, failed the whole up to 1.21. That is left out:
 * here it is no failure in any version.
 */
export async function getPodStatus(runtime: RemoteRuntime, {uid, namespace, name, ...listed}: RuntimePod): Promise<RuntimePodStatus> {
  const sandboxes: CriSandbox[] = []
  for (const {id} of listed.sandboxes.toSorted(newestFirst)) {
    const sandbox = await unlessGone(runtime('PodSandboxStatus', {podSandboxId: id}))
    if (sandbox !== undefined) sandboxes.push(sandbox)
  }
  const containers: CriContainerStatus[] = []
  for (const {id} of listed.containers) {
    const status = await unlessGone(runtime('ContainerStatus', {containerId: id}))
    if (status !== undefined) containers.push(onlyEndsOfEnded(status))
  }
  return {uid, namespace, name, sandboxes, containers: containers.toSorted(newestFirst)}
}

async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isFailure(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

/** Upstream: toKubeContainerStatus, which copies how it ended of an EXITED one alone. */
function onlyEndsOfEnded(status: CriContainerStatus): CriContainerStatus {
  if (status.state === 'EXITED') return status
  return {...status, startedAt: status.state === 'CREATED' ? 0 : status.startedAt, finishedAt: 0, exitCode: 0, reason: '', message: ''}
}

const newestFirst = (a: {createdAt: number; metadata: {attempt: number}}, b: {createdAt: number; metadata: {attempt: number}}): number =>
  b.createdAt - a.createdAt || b.metadata.attempt - a.metadata.attempt
