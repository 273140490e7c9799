// Mounts below the kubelet's root that are dead or hang, those with one cause together.
import {belowRoot} from '../../node/below-root.ts'
import type {MountLook} from '../../node/kernel/facts.ts'
import type {Mount} from '../../node/mountinfo.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {mountsBelowRoot, type RootMount} from './root-mounts.ts'

export type Death =
  /** The kernel has no such block device any more. */
  | {readonly kind: 'device-gone'; readonly device: string}
  | {readonly kind: 'error'; readonly code: string}
  | {readonly kind: 'silent'; readonly afterMs: number}

export interface DeadMount {
  readonly death: Death
  /** In the order in which they can be unmounted: the last mounted first. */
  readonly mounts: readonly RootMount[]
}

// What a file system answers whose server, process or device is lost. EACCES is not among them: a FUSE mount refuses root by default.
const deadCodes = new Set(
  'ENOTCONN ESTALE EIO EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ECONNABORTED ECONNREFUSED ECONNRESET ETIMEDOUT ENXIO ENODEV ENOMEDIUM EREMOTEIO ESHUTDOWN ENOLINK'.split(
    ' ',
  ),
)

export function deadMounts(snapshot: Snapshot): DeadMount[] {
  const deaths = deathsByPath(snapshot)
  const isGone = goneDevices(snapshot)
  const covered = new Set<string>()
  const dead = new Map<string, {death: Death; mounts: RootMount[]}>()
  // Backwards: of several at one path a look sees the last.
  for (const each of mountsBelowRoot(snapshot).toReversed()) {
    const {path, mount} = each
    const looked = deaths.get(path)
    const seen = looked !== undefined && !covered.has(path) && mount.fsType !== 'autofs' ? looked : undefined
    if (looked !== undefined) covered.add(path)
    const death: Death | undefined = isGone(mount.device) ? {kind: 'device-gone', device: mount.device} : seen
    if (death === undefined) continue
    const key = `${death.kind} ${death.kind === 'error' ? death.code : ''} ${causeOf(mount)}`
    const group = dead.get(key)
    if (group === undefined) dead.set(key, {death, mounts: [each]})
    else {
      group.death = longer(group.death, death)
      group.mounts.push(each)
    }
  }
  return [...dead.values()]
}

/** Below the root: only of mounts that a look found dead or silent. */
function deathsByPath(snapshot: Snapshot): ReadonlyMap<string, Death> {
  const below = belowRoot(snapshot)
  const deaths = new Map<string, Death>()
  for (const {mountPoint, outcome} of known(snapshot.readings['disk.mounts']) ?? []) {
    const death = deathOf(outcome)
    const path = death === undefined ? undefined : below(mountPoint)
    if (death !== undefined && path !== undefined) deaths.set(path, death)
  }
  return deaths
}

function deathOf(outcome: MountLook['outcome']): Death | undefined {
  if (outcome.state === 'error' && deadCodes.has(outcome.code)) return {kind: 'error', code: outcome.code}
  return outcome.state === 'silent' ? {kind: 'silent', afterMs: outcome.afterMs} : undefined
}

function longer(a: Death, b: Death): Death {
  return a.kind === 'silent' && b.kind === 'silent' && b.afterMs > a.afterMs ? b : a
}

/**
 * Major 0 is no block device: btrfs, overlay, every network file system. 31 is flash memory, which is mounted without one. A list that has
 * none of the devices that are mounted is that of another machine or of a container: it proves nothing.
 */
function goneDevices(snapshot: Snapshot): (device: string) => boolean {
  const devices = whole(snapshot.readings['kernel.devices'])
  const there = new Set(devices?.map(({device}) => device))
  const mounts = known(snapshot.readings['kernel.mounts']) ?? []
  if (devices === undefined || !mounts.some(({device}) => there.has(device))) return () => false
  return (device) => !/^(?:0|31):/.test(device) && !there.has(device)
}

/** Mounts of one file system, or of one server, die of the same cause. */
function causeOf(mount: Mount): string {
  const server = serverOf(mount)
  return server === undefined ? `${mount.fsType} ${mount.device}` : `${mount.fsType.slice(0, 3)} ${server}`
}

/** The host of 'srv:/export' and '//srv/share'. */
export function serverOf({fsType, source}: Mount): string | undefined {
  if (/^nfs4?$/.test(fsType)) return /^(\[.*\]|[^:]*):/.exec(source)?.[1]
  return /^(?:cifs|smb3)$/.test(fsType) ? /^\/\/([^/]*)/.exec(source)?.[1] : undefined
}
