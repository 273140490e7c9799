// Random steps about pods with volumes: they are deleted while their volumes come, or later; the kubelet and the driver restart.
import type {Dice} from '../../../base/dice.ts'
import type {PodManifest} from '../../../lab/api-server/pod-manifest.ts'
import {keyOf} from '../../pods.ts'
import type {Step} from '../../schema/step.ts'
import type {History} from '../history.ts'
import {chance, momentBetween, oneOf, pick} from './draw.ts'
import {at, type Placed} from './placed.ts'

/** When the kubelet gives up a call that was made at the start. */
const deadline = 120_000

export function randomVolumeSteps({drivers, claims, pods}: Pick<History, 'drivers' | 'claims' | 'pods'>, dice: Dice): readonly Step[] {
  const placed: Placed[] = []
  let gone = 0
  for (const [index, pod] of pods.entries()) {
    const own = dice.of(pod.metadata.name)
    // The second comes when the first is there, or when it goes.
    const createdAt = index === 0 ? 0 : chance(own, 50) ? momentBetween(own, 0, 8000) : gone + momentBetween(own, 0, 10_000)
    const steps = ofPod(pod, createdAt, own)
    gone = steps.reduce((last, {due}) => Math.max(last, due), gone)
    placed.push(...steps)
  }
  const restart = () =>
    chance(dice, 40)
      ? deadline + momentBetween(dice, 0, 10_000) - 5000
      : chance(dice, 50)
        ? gone + momentBetween(dice, 0, 5000)
        : momentBetween(dice, 500, 40_000)
  if (chance(dice, 10)) placed.push(at(restart(), {restartKubelet: {down: momentBetween(dice, 500, 8000)}}))
  const [driver] = drivers
  if (driver !== undefined && chance(dice, 16)) {
    const unregister = chance(dice, 30) ? {unregister: true} : {}
    placed.push(at(restart(), {restartDriver: {driver: driver.name, down: momentBetween(dice, 500, 40_000), ...unregister}}))
  }
  const device = claims.find(({volumeMode}) => volumeMode === 'Block')
  // As a driver or an administrator does (kubernetes/kubernetes#129825).
  if (device !== undefined && chance(dice, 4)) {
    const removePath = `plugins/kubernetes.io/csi/volumeDevices/staging/pv-${device.name}`
    placed.push(at(momentBetween(dice, 500, Math.max(gone, 1000)), {removePath}))
  }
  return placed.sort((a, b) => a.due - b.due).map(({step}) => step)
}

function ofPod(pod: PodManifest, createdAt: number, dice: Dice): Placed[] {
  const key = keyOf(pod)
  const steps: Placed[] = [{due: createdAt, step: {at: createdAt, create: key}}]
  if (chance(dice, 4)) return steps
  const wait = pick<() => number>(dice, [
    [45, () => momentBetween(dice, 300, 6000)],
    [40, () => momentBetween(dice, 6000, 25_000)],
    [15, () => deadline + momentBetween(dice, 0, 20_000) - 5000],
  ])()
  const deletedAt = createdAt + wait
  steps.push(at(deletedAt, {delete: chance(dice, 5) ? {pod: key, gracePeriod: 0} : {pod: key}}))
  if (pod.metadata.finalizers !== undefined && chance(dice, 80)) {
    steps.push(at(deletedAt + momentBetween(dice, 10_000, 40_000), {removeFinalizers: key}))
  }
  if (chance(dice, 4))
    steps.push(
      at(Math.max(createdAt + 100, deletedAt - momentBetween(dice, 0, 5000)), {
        removeContainer: {pod: key, container: oneOf(dice, pod.spec.containers).name},
      }),
    )
  return steps
}
