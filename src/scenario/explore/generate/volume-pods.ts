// Random pods with volumes: one or two, which may share a claim, with a container each.
import type {Dice} from '../../../base/dice.ts'
import type {PodManifest} from '../../../lab/api-server/pod-manifest.ts'
import type {Claim} from '../history.ts'
import {between, chance, oneOf, pick} from './draw.ts'
import {randomContainer} from './program.ts'

export function randomVolumePods(claims: readonly Claim[], dice: Dice): readonly PodManifest[] {
  const many = pick(dice, [
    [60, 1],
    [40, 2],
  ] as const)
  return Array.from({length: many}, (_, index) => randomPod(`pod-${index}`, claims, dice.of(`pod ${index}`)))
}

function randomPod(name: string, claims: readonly Claim[], dice: Dice): PodManifest {
  const used = claims.length > 1 && chance(dice, 40) ? claims : [oneOf(dice, claims)]
  const volumes = used.map((claim) => ({name: claim.name, persistentVolumeClaim: {claimName: claim.name}}))
  const inline = chance(dice, 5) ? [{name: 'inline', csi: {driver: 'csi.example.com'}}] : []
  return {
    metadata: {name, ...(chance(dice, 8) ? {finalizers: ['example.com/hold']} : {})},
    spec: {
      ...(chance(dice, 50) ? {restartPolicy: 'Never' as const} : {}),
      terminationGracePeriodSeconds: between(dice, 1, 5),
      volumes: [...volumes, ...inline],
      containers: [chance(dice, 75) ? {name: 'a', command: ['sleep', 'infinity']} : randomContainer('a', dice.of('a'))],
    },
  }
}
