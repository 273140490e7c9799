// How a person removes what the kubelet does not: first the network, then the sandbox.
import type {Snapshot} from '../../node/snapshot.ts'
import type {PodSandbox} from '../../wire/gen/cri_pb.ts'
import {checkAgain} from '../check-again.ts'
import type {Remedy} from '../finding.ts'
import {crictl, someIds} from './crictl.ts'

export const lookAgain = checkAgain('look again in ten minutes: the kubelet may still do it')

/** @param network its network cannot be taken down. */
export function removeSandboxes(snapshot: Snapshot, sandboxes: readonly PodSandbox[], network: boolean): Remedy[] {
  const ids = someIds(sandboxes.map(({id}) => id))
  const call = crictl(snapshot)
  const first: Remedy = {
    command: `${call} info`,
    why: 'NetworkReady and its reason: until the network plugin works, no sandbox can be stopped. Where it is gone for good, `ip netns delete` the namespace first',
    loses: null,
  }
  return [
    ...(network ? [first] : []),
    {
      command: `${call} stopp ${ids}`,
      why: 'takes down the network and ends what still runs in it',
      loses: 'whatever still runs in the sandbox',
    },
    {command: `${call} rmp ${ids}`, why: 'removes the record, once it is stopped', loses: null},
  ]
}
