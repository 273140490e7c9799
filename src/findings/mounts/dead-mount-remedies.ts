// What a person runs about a dead mount. A remount does not help: the old connection or device stays.
import {onHost} from '../../node/below-root.ts'
import type {Pod} from '../../node/pod.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {checkAgain} from '../check-again.ts'
import type {Remedy} from '../finding.ts'
import {shellWord} from '../shell-word.ts'
import {type DeadMount, serverOf} from './dead-mounts.ts'

/** A report need not list hundreds of them. */
const shown = 8

export function deadMountRemedies({death, mounts}: DeadMount, pods: readonly Pod[], snapshot: Snapshot): Remedy[] {
  const [first] = mounts
  if (first === undefined) return []
  const {fsType} = first.mount
  const network = /^(?:nfs4?|cifs|smb3|ceph|9p|glusterfs|lustre)$/.test(fsType)
  const fuse = fsType === 'fuse' || fsType.startsWith('fuse.')
  const again = checkAgain('look again: a slow server answers later, a lost one never')
  const server = serverOf(first.mount)
  const restore: Remedy[] =
    server === undefined
      ? []
      : [
          {
            command: `ping -c 3 -W 2 ${shellWord(server)}`,
            why: 'bring the server back first: what hangs then goes on by itself',
            loses: null,
          },
        ]
  const restart = pods.slice(0, shown).map(
    ({namespace, name}): Remedy => ({
      command: `kubectl delete pod -n ${shellWord(namespace)} ${shellWord(name)}`,
      why: 'its containers hold the mount; only a new pod gets a new one',
      loses: 'what the pod keeps in emptyDir volumes',
    }),
  )
  const unmount = mounts.slice(0, shown).map(({path}): Remedy => {
    const where = shellWord(onHost(snapshot, path))
    if (fuse) return {command: `umount -l ${where}`, why: 'once no container uses it: the process that served it is gone', loses: null}
    if (network)
      return {
        command: `umount -f ${where}`,
        why: 'when the server will not come back: open calls end with an error',
        loses: 'writes that have not reached the server',
      }
    return {
      command: `umount ${where}`,
      why: death.kind === 'device-gone' ? 'the device will not come back under this number' : 'before the device is used again',
      loses: 'writes that have not reached the device',
    }
  })
  return [...(death.kind === 'silent' ? [again] : []), ...restore, ...restart, ...unmount]
}
