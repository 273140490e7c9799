// Commands that show what a fault does, for recipes to choose from.
import type {See} from '../recipe.ts'

export const whyPod: See = {command: 'kubelimbo why {pod}', why: 'what the pod waits for'}
export const whyClaim: See = {command: 'kubelimbo why pvc {claim}', why: 'where the claim stands on this node'}
export const volumes: See = {command: 'kubelimbo volumes', why: 'what is staged and published, and what the kubelet must believe of it'}
export const ps: See = {command: 'kubelimbo ps -a', why: 'what the container runtime has'}
export const sandboxes: See = {command: 'kubelimbo pods', why: 'the sandboxes that the container runtime has'}
export const podNow: See = {command: 'kubectl -n {namespace} get pod {podName} -w', why: 'what the API server is told'}
export const nodeReady: See = {command: 'kubectl describe node {node}', why: 'Ready, and why not'}
export const traced: See = {command: 'kubelimbo trace', why: 'each call with its deadline, what was done to it, and the call that is owed'}

export const checkFor = (codes: string, why: string): See => ({command: 'kubelimbo check', why: `${codes}: ${why}`})

export const podEvents = (why: string): See => ({
  command: 'kubectl -n {namespace} get events --field-selector involvedObject.name={podName}',
  why,
})

/** @param keys of the log, which have no quotes in them */
export const logOf = (keys: readonly string[], why: string): See => ({
  command: `journalctl -u kubelet -f | grep -E '${keys.join('|')}'`,
  why,
})
