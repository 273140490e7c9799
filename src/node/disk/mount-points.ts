// What the mount table says of the paths below the kubelet's root, under either of its names.
import type {Mount} from '../mountinfo.ts'

export interface MountPoint {
  /** As the table has it. */
  readonly mountPoint: string
  /** Below the kubelet's root. */
  readonly path: string
  /** Of the topmost of what is mounted there. */
  readonly fsType: string
  readonly device: string
}

/** Each mount point once, in the order of the table; the root itself is none of them. */
export function mountPointsBelow(roots: readonly string[], mounts: readonly Mount[]): readonly MountPoint[] {
  const found = new Map<string, MountPoint>()
  for (const {mountPoint, fsType, device} of mounts) {
    const root = roots.find((each) => mountPoint.startsWith(`${each}/`))
    if (root !== undefined) found.set(mountPoint, {mountPoint, path: mountPoint.slice(root.length + 1), fsType, device})
  }
  return [...found.values()]
}

/** The topmost mount at the path, or at the nearest directory above it. */
export function coveringMount(path: string, mounts: readonly Mount[]): Mount | undefined {
  const covers = ({mountPoint}: Mount) => mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`)
  return mounts
    .filter(covers)
    .reduce<Mount | undefined>(
      (best, mount) => (best !== undefined && best.mountPoint.length > mount.mountPoint.length ? best : mount),
      undefined,
    )
}

const local = new Set('bcachefs btrfs devtmpfs ext2 ext3 ext4 f2fs overlay ramfs reiserfs tmpfs xfs zfs'.split(' '))

/** Whether it needs neither a server nor a daemon. A kind that we do not know may. */
export function isLocal(fsType: string): boolean {
  return local.has(fsType)
}
