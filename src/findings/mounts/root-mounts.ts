// The mounts at and below the kubelet's root.
import {oncePer} from '../../base/once-per.ts'
import {belowRoot} from '../../node/below-root.ts'
import type {Mount} from '../../node/mountinfo.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'

export interface RootMount {
  /** Below the kubelet's root; '' for the root itself. */
  readonly path: string
  readonly mount: Mount
}

/** In the order of the table: of several at one path the last is the visible one. */
export const mountsBelowRoot = oncePer((snapshot: Snapshot): readonly RootMount[] => {
  const below = belowRoot(snapshot)
  return (known(snapshot.readings['kernel.mounts']) ?? []).flatMap((mount) => {
    const path = below(mount.mountPoint)
    return path === undefined ? [] : [{path, mount}]
  })
})

/** 'major:minor' of the file system that the kubelet's root lies on. */
export function deviceOfRoot(snapshot: Snapshot): string | undefined {
  const said = known(snapshot.readings['disk.entries'])?.find(({path}) => path === '')?.device
  if (said !== undefined) return said
  const root = snapshot.kubeletRootReal ?? snapshot.kubeletRoot
  const above = (known(snapshot.readings['kernel.mounts']) ?? []).filter(({mountPoint}) =>
    `${root}/`.startsWith(mountPoint === '/' ? '/' : `${mountPoint}/`),
  )
  const longest = Math.max(0, ...above.map(({mountPoint}) => mountPoint.length))
  return above.findLast(({mountPoint}) => mountPoint.length === longest)?.device
}

/** 'ext4 of /dev/sdb'. */
export function describeMount({fsType, source}: Mount): string {
  return source === '' || source === 'none' || source === fsType ? fsType : `${fsType} of ${source}`
}
