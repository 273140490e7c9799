// Sandboxes as the runtime has them, and the status of a pod with them.
import type {CriContainerStatus, CriSandbox} from '../../src/kubelet/cri.ts'
import type {RuntimePodStatus} from '../../src/kubelet/runtime/runtime-pod.ts'
import {runtimePod, start} from './model-pods.ts'

export const sandboxOf = (id: string, {attempt = 0, ...more}: Partial<CriSandbox> & {readonly attempt?: number} = {}): CriSandbox => ({
  id,
  metadata: {namespace: 'default', name: 'web', uid: 'u1', attempt},
  state: 'READY',
  createdAt: start + attempt,
  ...more,
})

/** With one sandbox that is ready, unless others are given. */
export const inSandbox = (
  containers: readonly CriContainerStatus[],
  sandboxes: readonly CriSandbox[] = [sandboxOf('s1')],
): RuntimePodStatus => ({
  ...runtimePod(...containers),
  sandboxes,
})
