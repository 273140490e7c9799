// Random faults of a CSI driver: answers that are late, lost or errors, as drivers give them. One that lies, and has done what it calls a final error, is none of
// the kubelet's doing.
import type {Dice} from '../../../base/dice.ts'
import type {Fault} from '../../../faults/fault.ts'
import {faultOf} from '../../../faults/faults.ts'
import type {Match, Rule} from '../../../faults/rule.ts'
import type {PodManifest} from '../../../lab/api-server/pod-manifest.ts'
import {keyOf} from '../../pods.ts'
import type {Claim} from '../history.ts'
import {chance, momentBetween, oneOf, pick} from './draw.ts'

const methods = [
  [28, 'NodeStageVolume'],
  [34, 'NodePublishVolume'],
  [12, 'NodeUnstageVolume'],
  [18, 'NodeUnpublishVolume'],
  [8, 'NodeGetCapabilities'],
] as const

type Method = (typeof methods)[number][1]

export function randomDriverRules(claims: readonly Claim[], pods: readonly PodManifest[], dice: Dice): readonly Rule[] {
  const many = pick(dice, [
    [8, 0],
    [52, 1],
    [30, 2],
    [10, 3],
  ] as const)
  return Array.from({length: many}, (_, index) => randomRule(`rule ${index + 1}`, claims, pods, dice.of(`rule ${index}`)))
}

function randomRule(name: string, claims: readonly Claim[], pods: readonly PodManifest[], dice: Dice): Rule {
  const method = pick(dice, methods)
  const skip = pick(dice, [
    [85, 0],
    [15, 1],
  ] as const)
  return {
    name,
    match: {to: 'csi', method, ...subject(method, claims, pods, dice)},
    ...(skip === 0 ? {} : {skip}),
    limit: limitOf(method, dice),
    fault: faultFor(method, dice),
  }
}

/** Few of what is tried again until it is done: the pauses between grow. */
function limitOf(method: Method, dice: Dice): number {
  const undoes = method === 'NodeUnstageVolume' || method === 'NodeUnpublishVolume'
  return pick(dice, [
    [55, 1],
    [25, 2],
    [20, undoes ? 3 : 6],
  ] as const)
}

function subject(method: Method, claims: readonly Claim[], pods: readonly PodManifest[], dice: Dice): Pick<Match, 'pod' | 'request'> {
  if (method === 'NodeGetCapabilities' || chance(dice, 60)) return {}
  const ofTarget = method === 'NodePublishVolume' || method === 'NodeUnpublishVolume'
  return ofTarget && chance(dice, 60) ? {pod: keyOf(oneOf(dice, pods))} : {request: {volume: `vol-${oneOf(dice, claims).name}`}}
}

const uncertain = (dice: Dice): string =>
  pick(dice, [
    [40, 'UNAVAILABLE'],
    [25, 'ABORTED'],
    [20, 'DEADLINE_EXCEEDED'],
    [15, 'RESOURCE_EXHAUSTED'],
  ] as const)

const final = (dice: Dice): string =>
  pick(dice, [
    [60, 'INTERNAL'],
    [20, 'INVALID_ARGUMENT'],
    [20, 'FAILED_PRECONDITION'],
  ] as const)

const anyCode = (dice: Dice): string => (chance(dice, 50) ? uncertain(dice) : final(dice))

function faultFor(method: Method, dice: Dice): Fault {
  if (method === 'NodeGetCapabilities') {
    return chance(dice, 70) ? faultOf('fail', {code: 'UNAVAILABLE'}) : faultOf('delay', {ms: momentBetween(dice, 1000, 40_000)})
  }
  const undoes = method === 'NodeUnstageVolume' || method === 'NodeUnpublishVolume'
  return pick(dice, [
    [28, () => faultOf('fail', {code: anyCode(dice)})],
    [20, () => faultOf('exec-then-error', {code: undoes ? anyCode(dice) : uncertain(dice)})],
    [26, () => faultOf('lose-reply')],
    [8, () => faultOf('hang')],
    [12, () => faultOf('hold', {ms: momentBetween(dice, 1000, 30_000)})],
    [6, () => faultOf('reset')],
  ] as const)()
}
