// A random driver and the claims whose volumes it has.
import type {Dice} from '../../../base/dice.ts'
import type {Claim, Driver} from '../history.ts'
import {between, chance, pick} from './draw.ts'

export function randomDriver(dice: Dice): Driver {
  const takes = {
    ...(chance(dice, 6) ? {NodeStageVolume: slow(dice)} : {}),
    ...(chance(dice, 8) ? {NodePublishVolume: slow(dice)} : {}),
    // It is done before the kubelet gives up: else nobody could tell whether it will be.
    ...(chance(dice, 4) ? {NodeUnstageVolume: between(dice, 1, 30) * 1000} : {}),
    ...(chance(dice, 4) ? {NodeUnpublishVolume: between(dice, 1, 30) * 1000} : {}),
  }
  return {
    name: 'csi.example.com',
    ...(chance(dice, 4) ? {capabilities: []} : {}),
    ...(Object.keys(takes).length > 0 ? {takes} : {}),
    ...(chance(dice, 25) ? {stillPublished: 'INTERNAL' as const} : {}),
  }
}

/** Some for longer than the kubelet waits. */
const slow = (dice: Dice): number => (chance(dice, 40) ? between(dice, 121, 150) : between(dice, 2, 40)) * 1000

export function randomClaims(dice: Dice): readonly Claim[] {
  const many = pick(dice, [
    [75, 1],
    [25, 2],
  ] as const)
  return Array.from({length: many}, (_, index) => ({
    name: `data-${index}`,
    ...(chance(dice.of(`claim ${index}`), 50) ? {volumeMode: 'Block' as const} : {}),
  }))
}
