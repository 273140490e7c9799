// What recipes about CSI calls say alike. Timings: csi_plugin.go (csiTimeout) and exponential_backoff.go, seen on real kubelets up to 1.26.5.
import type {KubeletWords} from '../kubelet-words.ts'

export const triedAgain = (method: string): KubeletWords => ({
  text: `${method} gets 2 minutes, what the driver is asked beforehand included; then the kubelet takes the call back and makes it again: 0.5 s later, then 1 s, 2 s, 4 s, up to 2 min 2 s.`,
})

export const oneAtATime: KubeletWords = {
  text: 'While the call runs nothing else is done with this volume; other volumes do not wait.',
}

export const noEvent: KubeletWords = {text: 'No event tells of it: its errors are in the log of the kubelet alone.'}

export const mountEvents = 'FailedMount, of a raw block volume FailedMapVolume, after each call'
