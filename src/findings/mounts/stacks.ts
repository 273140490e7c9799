// Mounts that lie one upon the other at one mount point: V07.
import type {KubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import type {Mount} from '../../node/mountinfo.ts'

export interface Stack {
  /** Below the kubelet's root. */
  readonly path: string
  /** As in the mount table. */
  readonly mountPoint: string
  /** Bottom first, two or more. */
  readonly layers: readonly Mount[]
  readonly sameDevice: boolean
}

export function stacks(mounts: KubeletMounts): Stack[] {
  return mounts.paths.flatMap((path) => {
    const there = mounts.at(path)
    if (there.length < 2 || isEmptyDir(path)) return []
    const byPoint = [...Map.groupBy(there, ({mountPoint}) => mountPoint)]
    return byPoint.flatMap(([mountPoint, entries]): Stack[] => {
      const layers = longestChain(entries).filter((layer) => mounts.ownPath(layer) !== path && !isOnPurpose(layer))
      const real = layers.filter((layer, index) => !layers.slice(0, index).some((below) => isClone(layer, below)))
      if (real.length < 2) return []
      const devices = new Set(real.map(deviceOf))
      return [{path, mountPoint, layers: real, sameDevice: devices.size === 1 || real.every(({fsType}) => fsType === 'tmpfs')}]
    })
  })
}

/** Of a device file that is bound, devtmpfs is what it lies on: its name tells which device it is. */
function deviceOf({device, fsType, root}: Mount): string {
  return fsType === 'devtmpfs' ? `${device} ${root}` : device
}

/**
 * What is mounted upon another mount has it for its parent. A copy that propagation made in the mount beneath (as of a root directory that
 * is bound onto itself) has the same mount point and another parent: it is hidden, not stacked.
 */
function longestChain(entries: readonly Mount[]): readonly Mount[] {
  const byParent = new Map(entries.map((entry) => [entry.parent, entry]))
  const ids = new Set(entries.map(({id}) => id))
  let longest: readonly Mount[] = []
  for (const bottom of entries.filter(({parent}) => !ids.has(parent))) {
    const chain: Mount[] = []
    const seen = new Set<number>()
    for (let layer: Mount | undefined = bottom; layer !== undefined && !seen.has(layer.id); layer = byParent.get(layer.id)) {
      seen.add(layer.id)
      chain.push(layer)
    }
    if (chain.length > longest.length) longest = chain
  }
  return longest
}

/** The same mount, received from another peer group: 'master:N' of the one is the group of the other. */
function isClone(mount: Mount, other: Mount): boolean {
  if (mount.device !== other.device || mount.root !== other.root) return false
  const [own, others] = [groupsOf(mount), groupsOf(other)]
  const related = (from: string | undefined, to: Groups) => from !== undefined && (from === to.shared || from === to.master)
  return related(own.master, others) || related(others.master, own)
}

interface Groups {
  readonly shared: string | undefined
  readonly master: string | undefined
}

function groupsOf({optional}: Mount): Groups {
  const group = (kind: string) => optional.find((field) => field.startsWith(`${kind}:`))?.slice(kind.length + 1)
  return {shared: group('shared'), master: group('master')}
}

/** A file system that is made to cover what is below it and shows it: automounts, and overlays that name the directory. */
function isOnPurpose({fsType, source, superOptions, mountPoint}: Mount): boolean {
  if (fsType === 'autofs') return true
  if (fsType === 'ecryptfs') return source === mountPoint
  return (
    fsType === 'overlay' && /(?:^|,)(?:lowerdir|upperdir)=([^,]*)/.test(superOptions) && superOptions.split(/[,=:]/).includes(mountPoint)
  )
}

/** Kubelets in containers mount an emptyDir in memory again and again, and pods mount over theirs. */
function isEmptyDir(path: string): boolean {
  return path.includes('/volumes/kubernetes.io~empty-dir/')
}
