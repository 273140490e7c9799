// The pods' names by their uids, as they come by: drivers are told names, and the kubelet's calls for them have uids alone.
import type {ApiPort} from '../../kubelet/ports.ts'
import type {PodNames} from './pod-info.ts'

export function knowingPods(api: ApiPort): {readonly api: ApiPort; readonly names: PodNames} {
  const known = new Map<string, {readonly namespace: string; readonly name: string}>()
  return {
    api: {
      call: api.call,
      watchPods: (onEvent, signal) =>
        api.watchPods((event) => {
          const {uid, namespace, name} = event.pod.metadata
          // A publish that has begun knows its pod; none begins afterwards.
          if (event.type === 'DELETED') known.delete(uid)
          else known.set(uid, {namespace, name})
          onEvent(event)
        }, signal),
    },
    names: (uid) => known.get(uid),
  }
}
