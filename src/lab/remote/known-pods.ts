// The pods by their uids, as they come by: the kubelet's calls of drivers and of the runtime have uids alone, and who is called is told more.
import type {ApiPort} from '../../kubelet/ports.ts'
import {object} from '../api/json.ts'
import {asWritten} from '../api-server/as-written.ts'

type Texts = Readonly<Record<string, string>>

export interface KnownPod {
  readonly namespace: string
  readonly name: string
  readonly labels: Texts
  readonly annotations: Texts
}

/** Of a pod that there is, by its uid. */
export type KnownPods = (uid: string) => KnownPod | undefined

export function knowingPods(api: ApiPort): {readonly api: ApiPort; readonly known: KnownPods} {
  const known = new Map<string, KnownPod>()
  return {
    api: {
      call: api.call,
      watchPods: (onEvent, signal) =>
        api.watchPods((event) => {
          const {uid, namespace, name, labels = {}} = event.pod.metadata
          // A publish that has begun knows its pod; none begins afterwards.
          if (event.type === 'DELETED') known.delete(uid)
          else known.set(uid, {namespace, name, labels, annotations: object(asWritten(event.pod), 'metadata', 'annotations') as Texts})
          onEvent(event)
        }, signal),
    },
    known: (uid) => known.get(uid),
  }
}
