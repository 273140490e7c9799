// What the kubelet does next about what is left of a pod that nobody knows (kubelet_volumes.go, every two seconds).
import type {Profile} from '../../kubelet/profiles.ts'
import {pauses} from '../retries.ts'
import type {LeakedPublish} from './leaked-publishes.ts'
import type {LeftPodDir} from './left-pod-dirs.ts'
import type {Leftover} from './leftovers.ts'

export function leftDirNext({kind, mounted}: Leftover, {age, content}: LeftPodDir, {switches}: Profile): string {
  if (mounted) return 'The kubelet looks at the directory every 2s and leaves it as it is until nothing is mounted in it.'
  if (age !== 'settled' && kind === 'empty') return 'The kubelet removes the directory within 2s of its last volume.'
  if (switches.has('orphans-emptied'))
    return kind === 'empty'
      ? 'The kubelet tries to remove the directory every 2s, and its log says why it fails.'
      : 'The kubelet tries to remove the directory every 2s and fails each time, as it removes empty directories only.'
  return content.volumes.length > 0
    ? 'The kubelet finds the directory every 2s and leaves it as it is, as long as any volume has a directory in it.'
    : 'The kubelet tries to remove the directory every 2s, and its log says why it fails.'
}

/** @param unreadable its vol_data.json tells no driver and no handle */
export function leakNext({mounts}: LeakedPublish, unreadable: boolean, {switches}: Profile): string {
  if (unreadable)
    return switches.has('reconstruct-uncertain')
      ? 'The kubelet cannot tell which volume it is: it tries once after a start to unmount it, and forgets it then.'
      : 'The kubelet cannot tell which volume it is: it only tries after a start to unmount it.'
  const forgotten =
    mounts.length === 0
      ? 'sends nothing, not even after a start, which takes a volume without a mount for unpublished'
      : 'sends nothing before its next start, which looks for volumes in the directories of pods'
  return `The kubelet repeats NodeUnpublishVolume ${pauses} if it still has the volume; one that has forgotten it ${forgotten}.`
}
