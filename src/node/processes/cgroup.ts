// Which container and which pod the path of a cgroup names. Every runtime and both cgroup drivers have words of their own for it.

export interface CgroupOwner {
  /** The path, as the kernel writes it. */
  readonly cgroup: string
  readonly podUid?: string
  readonly containerId?: string
}

/** @param text of /proc/PID/cgroup: one line a hierarchy, `number:controllers:path`. Undefined when no path names one. */
export function parseCgroups(text: string): CgroupOwner | undefined {
  let best: CgroupOwner | undefined
  for (const line of text.split('\n')) {
    const path = line.split(':').slice(2).join(':')
    const owner = path === '' || path === '/' ? undefined : ownerOf(path)
    if (owner !== undefined && weight(owner) > weight(best)) best = owner
  }
  return best
}

/** Some hierarchies of cgroup v1 may not have the path, or only the pod's. */
function weight(owner: CgroupOwner | undefined): number {
  return owner === undefined ? 0 : (owner.containerId === undefined ? 1 : 3) + (owner.podUid === undefined ? 0 : 1)
}

/** Undefined, too, for what keeps a container and is none. */
function ownerOf(cgroup: string): CgroupOwner | undefined {
  // The kernel says so when the cgroup is gone and the process is not.
  const segments = cgroup
    .replace(/ \(deleted\)$/, '')
    .split('/')
    .flatMap(partsOf)
  if (segments.some((segment) => segment.startsWith('crio-conmon-'))) return undefined
  const podAt = segments.findIndex((segment, index) => podUidOf(segment, segments.slice(0, index)) !== undefined)
  // Below the pod's, where there is one: a node that is a container itself (kind) has that container's above it. The first of those: a
  // container may make cgroups that look like others.
  const containerId = segments
    .slice(podAt + 1)
    .map(containerIdOf)
    .find((id) => id !== undefined)
  const podUid = podAt === -1 ? undefined : podUidOf(segments[podAt] ?? '', segments.slice(0, podAt))
  if (podUid === undefined && containerId === undefined) return undefined
  return {cgroup, ...(podUid !== undefined && {podUid}), ...(containerId !== undefined && {containerId})}
}

/** runc with the cgroupfs driver takes a path that was meant for systemd ('slice:cri-containerd:id') for a name. */
function partsOf(segment: string): readonly string[] {
  const [slice, prefix, id, ...rest] = segment.split(':')
  return slice?.endsWith('.slice') && prefix && id && rest.length === 0 ? [slice, `${prefix}-${id}.scope`] : [segment]
}

const uid = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/

function podUidOf(segment: string, above: readonly string[]): string | undefined {
  // systemd reads '-' as a step down, so the kubelet writes '_' for those of the UID.
  const slice = /^(?:.+-)?kubepods(?:-burstable|-besteffort)?-pod([^-]+)\.slice$/.exec(segment)?.[1]
  if (slice !== undefined) return slice.replaceAll('_', '-')
  const named = /^pod(.+)$/.exec(segment)?.[1]
  if (named === undefined || named.endsWith('.slice')) return undefined
  // Any text can be a UID, but not any cgroup that is called 'pod…' is a pod's.
  return uid.test(named) || above.some((each) => /^(?:.+-)?kubepods$/.test(each)) ? named : undefined
}

function containerIdOf(segment: string): string | undefined {
  if (/^[0-9a-f]{64}$/.test(segment)) return segment
  return (
    /^(?:cri-containerd|crio|docker)-([0-9A-Za-z][0-9A-Za-z_.-]*)\.scope$/.exec(segment)?.[1] ?? /^crio-([0-9a-f]{64})$/.exec(segment)?.[1]
  )
}
