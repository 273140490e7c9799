// Random steps: pods are created and deleted, mostly while something goes on, and others meddle meanwhile.
import type {Dice} from '../../../base/dice.ts'
import type {PodManifest} from '../../../lab/api-server/pod-manifest.ts'
import {keyOf} from '../../pods.ts'
import type {Step} from '../../schema/step.ts'
import {between, chance, momentBetween, oneOf, pick} from './draw.ts'
import {type Action, at, type Placed} from './placed.ts'
import {endsAfter} from './program.ts'

/** About as long as a sandbox and a container take to start. */
const startUp = 900

export function randomSteps(pods: readonly PodManifest[], dice: Dice): readonly Step[] {
  const placed = pods.flatMap((pod, index) => ofPod(pod, index === 0 ? 0 : momentBetween(dice, 0, 3000), dice.of(pod.metadata.name)))
  if (chance(dice, 12)) {
    const down = momentBetween(dice, 500, 10_000)
    placed.push(at(momentBetween(dice, 500, 25_000), {restartKubelet: {down}}))
  }
  return placed.sort((a, b) => a.due - b.due).map(({step}) => step)
}

function ofPod(pod: PodManifest, createdAt: number, dice: Dice): Placed[] {
  const key = keyOf(pod)
  const steps: Placed[] = [{due: createdAt, step: {at: createdAt, create: key}}]
  const container = () => oneOf(dice, pod.spec.containers).name
  const deletion = chance(dice, 93) ? deletionOf(pod, createdAt, dice.of('delete')) : undefined
  if (deletion !== undefined) steps.push(deletion)
  const deletedAt = deletion?.due ?? createdAt + 10_000
  /** While it lives, mostly near its deletion. */
  const meanwhile = () =>
    chance(dice, 60) ? deletedAt + momentBetween(dice, 0, 4000) - 1000 : createdAt + momentBetween(dice, 300, 20_000)
  const meddle = (percent: number, build: () => Action) => {
    if (chance(dice, percent)) steps.push(at(Math.max(createdAt + 100, meanwhile()), build()))
  }
  meddle(18, () => ({removeContainer: {pod: key, container: container()}}))
  meddle(10, () => ({
    killContainer: {
      pod: key,
      container: container(),
      exitCode: pick(dice, [
        [2, 1],
        [1, 0],
        [1, 137],
      ] as const),
    },
  }))
  meddle(10, () => ({evict: {pod: key}}))
  meddle(10, () => ({readiness: {pod: key, container: container(), ready: chance(dice, 60)}}))
  if (deletion !== undefined && chance(dice, 6)) {
    steps.push(at(deletedAt + momentBetween(dice, 200, 5000), {delete: {pod: key, gracePeriod: between(dice, 1, 3) * 1000}}))
  }
  if (deletion !== undefined && pod.metadata.finalizers !== undefined && chance(dice, 60)) {
    steps.push(at(deletedAt + momentBetween(dice, 15_000, 60_000), {removeFinalizers: key}))
  }
  return steps
}

function deletionOf(pod: PodManifest, createdAt: number, dice: Dice): Placed {
  const key = keyOf(pod)
  const ending = pod.spec.containers.filter((each) => endsAfter(each) !== undefined)
  const later = () => at(createdAt + momentBetween(dice, 5000, 20_000), {delete: {pod: key}})
  /** That soon after an event; what comes later in the list waits for it. */
  const after = (event: Record<string, unknown>): Placed => {
    const step = {after: event, plus: momentBetween(dice, 0, 1500), within: 20_000, optional: true, delete: {pod: key}}
    return {due: createdAt + 100, step: step as unknown as Step}
  }
  return pick<() => Placed>(dice, [
    [40, () => at(createdAt + momentBetween(dice, 100, 4000), {delete: {pod: key}})],
    [
      30,
      () => {
        if (ending.length === 0) return later()
        const end = createdAt + startUp + (endsAfter(oneOf(dice, ending)) ?? 0)
        return at(Math.max(createdAt + 100, end + momentBetween(dice, 0, 3000) - 500), {delete: {pod: key}})
      },
    ],
    [20, later],
    [5, () => (ending.length === 0 ? later() : after({runtime: 'exited', pod: key, container: oneOf(dice, ending).name}))],
    [5, () => (ending.length === 0 ? later() : after({watch: 'MODIFIED', pod: key, phase: 'Failed'}))],
  ])()
}
