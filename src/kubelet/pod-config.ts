// What a change of a pod at the API server is to the kubelet. Upstream: config/config.go
import {isDeepStrictEqual} from 'node:util'
import type {Pod} from './pod.ts'
import type {PodEvent} from './ports.ts'

/** DELETE is an UPDATE of a pod that has a deletion timestamp; the object is gone with REMOVE. */
export type PodOperation = 'ADD' | 'UPDATE' | 'DELETE' | 'RECONCILE' | 'REMOVE'

export interface PodUpdate {
  readonly op: PodOperation
  readonly pod: Pod
}

export interface PodConfig {
  /** Undefined when nothing has changed that the kubelet looks at: finalizers, for one. */
  update(event: PodEvent): PodUpdate | undefined
}

export function podConfig(): PodConfig {
  const pods = new Map<string, Pod>()
  return {
    update: ({type, pod}) => {
      const {uid} = pod.metadata
      const existing = pods.get(uid)
      if (type === 'DELETED') {
        pods.delete(uid)
        // As the kubelet last knew it.
        return existing === undefined ? undefined : {op: 'REMOVE', pod: existing}
      }
      pods.set(uid, pod)
      if (existing === undefined) return {op: 'ADD', pod}
      if (podsDifferSemantically(existing, pod)) return {op: pod.metadata.deletionTimestamp === undefined ? 'UPDATE' : 'DELETE', pod}
      return existing.status === pod.status || isDeepStrictEqual(existing.status, pod.status) ? undefined : {op: 'RECONCILE', pod}
    },
  }
}

function podsDifferSemantically(a: Pod, b: Pod): boolean {
  if (a.metadata.deletionTimestamp !== b.metadata.deletionTimestamp) return true
  if (a.metadata.deletionGracePeriodSeconds !== b.metadata.deletionGracePeriodSeconds) return true
  if (a.spec !== b.spec && !isDeepStrictEqual(a.spec, b.spec)) return true
  return a.metadata.labels !== b.metadata.labels && !isDeepStrictEqual(a.metadata.labels, b.metadata.labels)
}
