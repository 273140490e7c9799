// How a sandbox stands, in crictl's words.
import {type PodSandbox, PodSandboxState} from '../../wire/gen/cri_pb.ts'

export function isReady({state}: PodSandbox): boolean {
  return state === PodSandboxState.SANDBOX_READY
}

export function sandboxState(sandbox: PodSandbox): 'READY' | 'NOTREADY' {
  return isReady(sandbox) ? 'READY' : 'NOTREADY'
}
