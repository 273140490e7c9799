// Random pods: one to three, with one to three containers each.
import type {Dice} from '../../../base/dice.ts'
import type {PodManifest} from '../../../lab/api-server/pod-manifest.ts'
import {between, chance, pick} from './draw.ts'
import {randomContainer} from './program.ts'

export function randomPods(dice: Dice): readonly PodManifest[] {
  const many = pick(dice, [
    [62, 1],
    [28, 2],
    [10, 3],
  ] as const)
  return Array.from({length: many}, (_, index) => randomPod(`pod-${index}`, dice.of(`pod ${index}`)))
}

function randomPod(name: string, dice: Dice): PodManifest {
  const containers = ['a', 'b', 'c'].slice(
    0,
    pick(dice, [
      [35, 1],
      [45, 2],
      [20, 3],
    ] as const),
  )
  return {
    metadata: {name, ...(chance(dice, 30) ? {finalizers: ['example.com/hold']} : {})},
    spec: {
      restartPolicy: pick(dice, [
        [50, 'Never'],
        [25, 'OnFailure'],
        [25, 'Always'],
      ] as const),
      terminationGracePeriodSeconds: between(dice, 1, 15),
      ...(chance(dice, 15) ? {activeDeadlineSeconds: between(dice, 2, 15)} : {}),
      containers: containers.map((each) => randomContainer(each, dice.of(each))),
    },
  }
}
