// What containers of random pods do.
import type {Dice} from '../../../base/dice.ts'
import type {ContainerManifest} from '../../../lab/api-server/pod-manifest.ts'
import {between, chance, pick} from './draw.ts'

const loop = 'while :; do sleep 0.1; done'
const exitCode = (dice: Dice): number =>
  pick(dice, [
    [60, 1],
    [30, 0],
    [10, 3],
  ] as const)
const shell = (script: string): readonly string[] => ['sh', '-c', script]

/** Commands that run until somebody ends them, or that ignore whoever tries. */
const lasting = (dice: Dice): readonly string[] =>
  pick(dice, [
    [45, () => shell(`trap 'exit ${exitCode(dice)}' TERM; ${loop}`)],
    [20, () => shell(`trap 'sleep ${between(dice, 1, 6)}; exit ${exitCode(dice)}' TERM; ${loop}`)],
    [35, () => ['sleep', 'infinity']],
  ] as const)()

export function randomContainer(name: string, dice: Dice): ContainerManifest {
  return pick<() => ContainerManifest>(dice, [
    [22, () => ({name, command: shell(`exit ${exitCode(dice)}`)})],
    [20, () => ({name, command: shell(`sleep ${between(dice, 1, 12)}; exit ${exitCode(dice)}`)})],
    [36, () => ({name, command: lasting(dice), ...(chance(dice, 20) ? {readinessProbe: {}} : {})})],
    [10, () => ({name, command: ['/no/such/program']})],
    [7, () => ({name, command: lasting(dice), lifecycle: {postStart: {exec: {command: ['false']}}}})],
    [5, () => ({name, image: 'registry.invalid/missing:1', command: lasting(dice)})],
  ])()
}

/** Milliseconds from its start to its own end; undefined when it does not end by itself. */
export function endsAfter({command = []}: ContainerManifest): number | undefined {
  const script = command[0] === 'sh' ? command[2] : undefined
  if (script === undefined || script.startsWith('trap')) return undefined
  return Number(/^sleep (\d+)/.exec(script)?.[1] ?? 0) * 1000
}
