// Does one step of a scenario at a node.
import {explain} from '../faults/explain.ts'
import type {Rule} from '../faults/rule.ts'
import type {LabNode} from '../lab/lab-node.ts'
import {absolute} from './path-pattern.ts'
import {keyOf, podsOf} from './pods.ts'
import {removePath} from './remove-path.ts'
import type {Scenario} from './schema/scenario.ts'
import type {Step} from './schema/step.ts'

export interface Action {
  /** In words: 'delete default/job-0'. */
  readonly text: string
  /** What a server answers comes when the time goes on: it must not be waited for before. */
  readonly act: (node: LabNode) => unknown
}

const defaultExitCode = 137
const defaultDownMs = 1000

/** "the rule 'lost': the first StopPodSandbox of default/p: run it, whatever its deadline, and never answer" */
export const ruleWords = (rule: Rule): string => `the rule '${rule.name}': ${explain(rule)}`

/** One for each pod that the step is about. */
export function actionsOf(step: Step, scenario: Scenario): readonly Action[] {
  const each = (pod: string, build: (pod: string) => Action) => podsOf(scenario, pod).map((manifest) => build(keyOf(manifest)))
  if ('create' in step) {
    return podsOf(scenario, step.create).map((manifest) => ({
      text: `create ${keyOf(manifest)}`,
      act: (node) => node.client.createPod(manifest),
    }))
  }
  if ('delete' in step) {
    const {pod, gracePeriod} = step.delete
    const seconds = gracePeriod === undefined ? [] : [gracePeriod / 1000]
    const words = gracePeriod === undefined ? '' : `, grace ${gracePeriod / 1000} s`
    return each(pod, (one) => ({text: `delete ${one}${words}`, act: (node) => node.client.deletePod(one, ...seconds)}))
  }
  if ('removeFinalizers' in step) {
    return each(step.removeFinalizers, (pod) => ({
      text: `remove the finalizers of ${pod}`,
      act: (node) => node.client.removeFinalizers(pod),
    }))
  }
  if ('killContainer' in step) {
    const {pod, container, exitCode = defaultExitCode} = step.killContainer
    return each(pod, (one) => {
      const text = `container ${container} of ${one} ends with ${exitCode}`
      return {text, act: (node) => node.runtime.killContainer(one, container, exitCode)}
    })
  }
  if ('removeContainer' in step) {
    const {pod, container} = step.removeContainer
    return each(pod, (one) => {
      const text = `remove container ${container} of ${one} from the runtime`
      return {text, act: (node) => node.runtime.removeContainer(one, container)}
    })
  }
  if ('loseContainer' in step) {
    const {pod, container} = step.loseContainer
    return each(pod, (one) => {
      const text = `the runtime loses sight of container ${container} of ${one}`
      return {text, act: (node) => node.runtime.loseContainer(one, container)}
    })
  }
  if ('evict' in step) {
    const {pod, message = 'The node was low on resource: memory.'} = step.evict
    return each(pod, (one) => ({text: `evict ${one}`, act: (node) => void node.kubelet.evict(one, message)}))
  }
  if ('readiness' in step) {
    const {pod, container, ready} = step.readiness
    return each(pod, (one) => {
      const text = `container ${container} of ${one} is ${ready ? 'ready' : 'not ready'}`
      return {text, act: (node) => void node.kubelet.readiness(one, container, ready)}
    })
  }
  if ('restartKubelet' in step) {
    const {down = defaultDownMs} = step.restartKubelet
    return [{text: `restart the kubelet, down for ${down / 1000} s`, act: (node) => void node.kubelet.restart(down)}]
  }
  if ('restartDriver' in step) {
    const {driver, down = defaultDownMs, unregister = false} = step.restartDriver
    const text = `restart the driver ${driver}${unregister ? ' and its registration' : ''}, down for ${down / 1000} s`
    return [{text, act: (node) => void node.drivers.restart(driver, down, unregister)}]
  }
  if ('removePath' in step) {
    const path = step.removePath
    return [{text: `remove ${path}`, act: (node) => removePath(path, node.disk)}]
  }
  if ('makePath' in step) {
    const path = step.makePath
    return [{text: `make ${path}`, act: (node) => node.disk.mkdirAll(absolute(path))}]
  }
  if ('addRule' in step) {
    const rule = step.addRule
    return [{text: `add ${ruleWords(rule)}`, act: (node) => void node.faults.add(rule)}]
  }
  const name = step.removeRule
  return [{text: `remove the rule '${name}'`, act: (node) => void node.faults.remove(name)}]
}
