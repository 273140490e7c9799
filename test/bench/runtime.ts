// The runtime that is measured against, with a number of sandboxes in it.
import {startContainerd} from '../support/containerd.ts'
import {runPod} from '../support/crictl-pods.ts'

export interface Runtime extends AsyncDisposable {
  readonly name: string
  readonly endpoint: string
}

export async function startRuntime(sandboxes: number): Promise<Runtime> {
  const rig = await startContainerd()
  for (let at = 0; at < sandboxes; at++) await runPod(rig, {name: `pod-${at}`})
  return {name: 'containerd', endpoint: rig.endpoint, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]()}
}
