// Histories that are a little simpler than one: each has one thing less, or one thing plainer. The largest cuts come first.
import type {Rule} from '../../../faults/rule.ts'
import type {PodManifest} from '../../../lab/api-server/pod-manifest.ts'
import {usualSeed} from '../../play.ts'
import {keyOf} from '../../pods.ts'
import type {Step} from '../../schema/step.ts'
import type {History} from '../history.ts'
import {simplerPods} from './simpler-pod.ts'
import {simplerRules} from './simpler-rule.ts'
import {simplerSteps} from './simpler-step.ts'
import {simplerVolumes} from './simpler-volumes.ts'

export function* simpler(history: History): Generator<History> {
  const {pods, rules, steps, seed} = history
  if (pods.length > 1) for (const pod of pods) yield withoutPod(history, keyOf(pod))
  for (const volumes of simplerVolumes(history)) yield volumes
  for (const index of rules.keys()) yield {...history, rules: rules.toSpliced(index, 1)}
  for (const [index, step] of steps.entries()) if (!('create' in step)) yield {...history, steps: steps.toSpliced(index, 1)}
  for (const [index, pod] of pods.entries()) {
    if (pod.spec.containers.length === 1) continue
    for (const {name} of pod.spec.containers) yield withoutContainer(history, index, name)
  }
  for (const [index, pod] of pods.entries()) for (const plainer of simplerPods(pod)) yield {...history, pods: pods.with(index, plainer)}
  for (const [index, rule] of rules.entries())
    for (const plainer of simplerRules(rule)) yield {...history, rules: rules.with(index, plainer)}
  for (const plainer of simplerSteps(steps)) yield {...history, steps: plainer}
  if (seed !== usualSeed) yield {...history, seed: usualSeed}
}

function withoutPod(history: History, key: string): History {
  return {
    ...history,
    pods: history.pods.filter((pod) => keyOf(pod) !== key),
    rules: history.rules.filter(({match}) => match.pod !== key),
    steps: history.steps.filter((step) => podOf(step) !== key),
  }
}

function withoutContainer(history: History, index: number, name: string): History {
  const pod = history.pods[index] as PodManifest
  const key = keyOf(pod)
  const isOther = (of: {readonly pod?: string; readonly container?: string}) => of.pod !== key || of.container !== name
  const spec = {...pod.spec, containers: pod.spec.containers.filter((each) => each.name !== name)}
  return {
    ...history,
    pods: history.pods.with(index, {...pod, spec}),
    rules: history.rules.filter(({match}: Rule) => isOther(match)),
    steps: history.steps.filter((step) => isOther(subjectOf(step)) && isOther((step.after ?? {}) as {pod?: string; container?: string})),
  }
}

function subjectOf(step: Step): {readonly pod?: string; readonly container?: string} {
  for (const [kind, value] of Object.entries(step)) {
    if (kind === 'create' || kind === 'removeFinalizers') return {pod: value as string}
    if (kind !== 'after' && typeof value === 'object' && value !== null && 'pod' in value) return value as {pod: string}
  }
  return {}
}

const podOf = (step: Step): string | undefined => subjectOf(step).pod
