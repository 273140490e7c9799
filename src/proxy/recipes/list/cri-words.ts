// What recipes about the container runtime have in common. Timings: remote_runtime.go, where 2 minutes are runtimeRequestTimeout's default.
import type {See} from '../recipe.ts'

export const whyPod: See = {command: 'kubelimbo why {pod}', why: 'what the pod waits for'}
export const ps: See = {command: 'kubelimbo ps -a', why: 'what the container runtime has'}
export const sandboxes: See = {command: 'kubelimbo pods', why: 'the sandboxes that the container runtime has'}
export const podNow: See = {command: 'kubectl -n {namespace} get pod {podName} -w', why: 'what the API server is told'}
export const podEvents = (why: string): See => ({
  command: 'kubectl -n {namespace} get events --field-selector involvedObject.name={podName}',
  why,
})
export const nodeReady: See = {command: 'kubectl describe node {node}', why: 'Ready, and why not'}
export {checkFor, logOf, traced} from './csi-words.ts'
