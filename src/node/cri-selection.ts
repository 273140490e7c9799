// What crictl does with a list after the runtime has filtered it: names, order, number.
import type {Container, PodSandbox} from '../wire/gen/cri_pb.ts'

export interface Selection {
  readonly name?: RegExp
  readonly namespace?: RegExp
  /** Only the newest one. */
  readonly latest?: boolean
  /** Only the newest ones; wins over `latest`; 0 or less: all. */
  readonly last?: number
}

export interface Selected<T> {
  /** Newest first. */
  readonly items: readonly T[]
  /** How many have no metadata: crictl leaves them out without a word. */
  readonly withoutMetadata: number
}

/** @param namespaceOf sandboxes have it in their metadata, containers in a label. */
export function select<T extends PodSandbox | Container>(
  items: readonly T[],
  {name, namespace, latest, last}: Selection,
  namespaceOf: (item: T) => string,
): Selected<T> {
  const named = items.filter((item) => item.metadata !== undefined)
  const matching = named
    .filter((item) => (name?.test(item.metadata?.name ?? '') ?? true) && (namespace?.test(namespaceOf(item)) ?? true))
    .toSorted((a, b) => (a.createdAt === b.createdAt ? 0 : a.createdAt > b.createdAt ? -1 : 1))
  const limit = last !== undefined && last > 0 ? last : latest ? 1 : matching.length
  return {items: matching.slice(0, limit), withoutMetadata: items.length - named.length}
}

/** The labels that the kubelet puts on each container (pkg/kubelet/types, labels.go). */
export const podLabels = {
  name: 'io.kubernetes.pod.name',
  namespace: 'io.kubernetes.pod.namespace',
  uid: 'io.kubernetes.pod.uid',
  container: 'io.kubernetes.container.name',
} as const

/** crictl's word for a label that is not there. */
export function podLabel({labels}: Container, which: Exclude<keyof typeof podLabels, 'container'>): string {
  return labels[podLabels[which]] ?? 'unknown'
}
