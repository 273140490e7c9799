// Random faults: which calls of the kubelet are late, fail or are never answered.
import type {Dice} from '../../../base/dice.ts'
import type {Fault} from '../../../faults/fault.ts'
import {faultOf} from '../../../faults/faults.ts'
import type {Match, Rule} from '../../../faults/rule.ts'
import type {PodManifest} from '../../../lab/api-server/pod-manifest.ts'
import type {Service} from '../../../timeline/event.ts'
import {keyOf} from '../../pods.ts'
import {chance, momentBetween, oneOf, pick} from './draw.ts'

type Method = readonly [to: Service, method: string, about: 'pod' | 'container' | 'node']

const methods: readonly (readonly [weight: number, method: Method])[] = [
  [16, ['cri', 'StopPodSandbox', 'pod']],
  [12, ['cri', 'StopContainer', 'container']],
  [10, ['cri', 'RemoveContainer', 'container']],
  [10, ['cri', 'StartContainer', 'container']],
  [4, ['cri', 'CreateContainer', 'pod']],
  [4, ['cri', 'RunPodSandbox', 'pod']],
  [4, ['cri', 'ListContainers', 'node']],
  [3, ['cri', 'ListPodSandbox', 'node']],
  [5, ['cri', 'ContainerStatus', 'container']],
  [3, ['cri', 'PodSandboxStatus', 'pod']],
  [3, ['cri', 'ExecSync', 'container']],
  [2, ['cri', 'RemovePodSandbox', 'pod']],
  [12, ['api', 'PATCH pod/status', 'pod']],
  [6, ['api', 'GET pod', 'pod']],
  [6, ['api', 'DELETE pod', 'pod']],
]

export function randomRules(pods: readonly PodManifest[], dice: Dice): readonly Rule[] {
  const many = pick(dice, [
    [35, 0],
    [38, 1],
    [18, 2],
    [9, 3],
  ] as const)
  return Array.from({length: many}, (_, index) => randomRule(`rule ${index + 1}`, pods, dice.of(`rule ${index}`)))
}

function randomRule(name: string, pods: readonly PodManifest[], dice: Dice): Rule {
  const [to, method, about] = pick(dice, methods)
  const skip = pick(dice, [
    [70, 0],
    [20, 1],
    [10, 2],
  ] as const)
  return {
    name,
    match: {to, method, ...subject(about, pods, dice)},
    ...(skip === 0 ? {} : {skip}),
    limit: pick(dice, [
      [62, 1],
      [22, 2],
      [16, 4],
    ] as const),
    fault: randomFault(to, dice),
  }
}

function subject(about: Method[2], pods: readonly PodManifest[], dice: Dice): Pick<Match, 'pod' | 'container'> {
  if (about === 'node' || chance(dice, 30)) return {}
  const pod = oneOf(dice, pods)
  if (about === 'pod' || chance(dice, 60)) return {pod: keyOf(pod)}
  return {pod: keyOf(pod), container: oneOf(dice, pod.spec.containers).name}
}

function randomFault(to: Service, dice: Dice): Fault {
  const code =
    to === 'api'
      ? 'InternalError'
      : pick(dice, [
          [70, 'UNAVAILABLE'],
          [30, 'UNKNOWN'],
        ] as const)
  return pick(dice, [
    [30, () => faultOf('hold', {ms: momentBetween(dice, 500, 30_000)})],
    [20, () => faultOf('delay', {ms: momentBetween(dice, 500, 15_000)})],
    [20, () => faultOf('fail', {code})],
    [15, () => faultOf('exec-then-error', {code})],
    [15, () => faultOf('lose-reply')],
  ] as const)()
}
