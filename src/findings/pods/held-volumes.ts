// The CSI volumes that the node has for a pod: those of its directory, and raw block ones whose teardown has begun.
import type {BelievedVolume} from '../../kubelet/traces/reconstruct.ts'
import type {DetectContext} from '../detector.ts'

export interface HeldVolume extends Pick<BelievedVolume, 'driver' | 'handle' | 'specName' | 'mode' | 'ephemeral' | 'path' | 'published'> {
  /** Where it is published: what the kubelet's calls name. */
  readonly target: string
  /** Whether the pod's directory has it: it comes last, and goes first. */
  readonly linked: boolean
}

export function heldVolumes({belief}: DetectContext, podUid: string): readonly HeldVolume[] {
  const linked = (belief?.volumes ?? [])
    .filter((volume) => volume.podUid === podUid)
    .map((volume): HeldVolume => ({...volume, target: `${volume.path}/mount`, linked: true}))
  // operation_generator.go, GenerateUnmapVolumeFunc: the pod's link and the bound device go first, and then NodeUnpublishVolume is called.
  const unlinked = (belief?.forgotten ?? []).flatMap((volume): HeldVolume[] => {
    const {what, specName, driver, handle, path, mode} = volume
    if (what !== 'published' || volume.podUid !== podUid || !specName || !driver || !handle) return []
    return [{specName, driver, handle, mode, path, ephemeral: false, published: true, target: path, linked: false}]
  })
  return [...linked, ...unlinked]
}
