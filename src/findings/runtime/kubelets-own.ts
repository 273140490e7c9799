// What of the runtime's lists is the kubelet's, by the labels that it puts on everything it makes: others use the runtime, too.
import {podLabels} from '../../node/cri-selection.ts'
import type {Container, PodSandbox} from '../../wire/gen/cri_pb.ts'

/** Undefined for what crictl or anybody else made, whatever UID its metadata has. */
export function labelledUid({labels}: Pick<Container | PodSandbox, 'labels'>): string | undefined {
  return labels[podLabels.uid] || undefined
}

export function containerName({labels, metadata}: Container): string {
  return labels[podLabels.container] || metadata?.name || ''
}

/** As far as the labels tell. */
export function labelledPod({labels}: Pick<Container | PodSandbox, 'labels'>): {readonly namespace?: string; readonly name?: string} {
  const {[podLabels.namespace]: namespace, [podLabels.name]: name} = labels
  return {...(namespace && {namespace}), ...(name && {name})}
}
