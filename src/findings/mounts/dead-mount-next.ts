// What the kubelet does next about a mount that is dead or hangs: it looks at volumes and does not mend them.
import type {Death} from './dead-mounts.ts'

/** @param stuck the kubelet itself hangs in it */
export function deadMountNext({kind}: Death, stuck: boolean): string {
  if (kind !== 'silent')
    return 'The kubelet does nothing about it: it does not mount anew what it has mounted, and a container that restarts gets the same mount.'
  return stuck
    ? 'The kubelet waits for the mount, and neither starts nor stops any pod until it answers.'
    : 'The kubelet waits wherever it looks at the mount, as when it measures or unmounts the volume, and goes on when the mount answers.'
}
