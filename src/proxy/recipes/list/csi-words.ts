// What recipes about CSI calls have in common. Timings: kubelet-behaviour of csiTimeout and goroutinemap's back-off, seen on real kubelets up to 1.26.5.
import type {KubeletWords} from '../kubelet-words.ts'
import type {See} from '../recipe.ts'

/** csi_plugin.go, csiTimeout; exponential_backoff.go. */
export const triedAgain = (method: string): KubeletWords => ({
  text: `${method} gets 2 minutes, what the driver is asked beforehand included; then the kubelet takes the call back and makes it again: 0.5 s later, then 1 s, 2 s, 4 s, up to 2 min 2 s.`,
})

export const oneAtATime: KubeletWords = {
  text: 'While the call runs nothing else is done with this volume; other volumes do not wait.',
}

export const noEvent: KubeletWords = {text: 'No event tells of it: its errors are in the log of the kubelet alone.'}

export const whyPod: See = {command: 'kubelimbo why {pod}', why: 'what the pod waits for'}
export const whyClaim: See = {command: 'kubelimbo why pvc {claim}', why: 'where the claim stands on this node'}
export const volumes: See = {command: 'kubelimbo volumes', why: 'what is staged and published, and what the kubelet must believe of it'}
export const podEvents: See = {
  command: 'kubectl -n {namespace} get events --field-selector involvedObject.name={podName}',
  why: 'FailedMount, of a raw block volume FailedMapVolume, after each call',
}

export const checkFor = (codes: string, why: string): See => ({command: 'kubelimbo check', why: `${codes}: ${why}`})

/** @param keys of the log, which have no quotes in them */
export const logOf = (keys: readonly string[], why: string): See => ({
  command: `journalctl -u kubelet -f | grep -E '${keys.join('|')}'`,
  why,
})

export const traced: See = {command: 'kubelimbo trace', why: 'each call with its deadline, what was done to it, and the call that is owed'}
