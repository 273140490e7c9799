// What is left below volumeDevices of a raw block volume, pod by pod: the bind at dev/, the publish file, the loop device that holds it.
import {type KubeletDirs, kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {belowRoot} from '../../node/below-root.ts'
import type {BlockDevice} from '../../node/kernel/facts.ts'
import {blockDirs, csiEscaped, csiPluginDir} from '../../node/layout.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {mountsBelowRoot, type RootMount} from '../mounts/root-mounts.ts'

export interface RawBlock {
  readonly specName: string
  /** Undefined where the publish path bears no pod's name: older kubelets made one a volume. */
  readonly podUid: string | undefined
  /** Files of it, below the kubelet's root. */
  readonly files: readonly string[]
  /** Mounts at these files, the last one first. */
  readonly mounts: readonly RootMount[]
  /** Loop devices over its file. */
  readonly loops: readonly BlockDevice[]
  /** When something of it, or around it, was last changed, where somebody captured it: see datesAround(). */
  readonly changedAt: number | undefined
}

interface Parts {
  readonly specName: string
  readonly podUid: string | undefined
  readonly files: Set<string>
  readonly mounts: RootMount[]
  readonly loops: BlockDevice[]
}

export function rawBlocks(snapshot: Snapshot): RawBlock[] {
  const parts = new Map<string, Parts>()
  const partsAt = (path: string): Parts | undefined => {
    const at = placeOf(path)
    if (at === undefined) return undefined
    const key = `${at.specName}/${at.podUid ?? ''}`
    const there = parts.get(key) ?? {...at, files: new Set<string>(), mounts: [], loops: []}
    parts.set(key, there)
    return there
  }
  const entries = known(snapshot.readings['disk.entries']) ?? []
  for (const {path, type} of entries) {
    // A directory at publish/<pv> is today's layout, one at publish/<pv>/<uid> is a driver's of its own making.
    if (type !== 'directory') partsAt(path)?.files.add(path)
  }
  for (const each of mountsBelowRoot(snapshot).toReversed()) {
    const found = partsAt(each.path)
    found?.files.add(each.path)
    found?.mounts.push(each)
  }
  const below = belowRoot(snapshot)
  for (const device of known(snapshot.readings['kernel.devices']) ?? []) {
    const path = below((device.backingFile ?? '').replace(/ \(deleted\)$/, ''))
    if (path !== undefined) partsAt(path)?.loops.push(device)
  }
  const dirs = kubeletDirs(entries)
  return [...parts.values()].map((each) => {
    const dates = datesAround(dirs, each)
    return {...each, files: [...each.files], changedAt: dates.length === 0 ? undefined : Math.max(...dates)}
  })
}

/**
 * A file that a device is bound to shows the date of that device, which may be as old as the node. So the directories count, too, that it lies
 * in, and those of its pod: the kubelet takes the link away before it calls NodeUnpublishVolume.
 */
function datesAround(dirs: KubeletDirs, {specName, podUid, files}: Parts): number[] {
  const links = `pods/${podUid}/volumeDevices`
  const pod = podUid === undefined ? [] : [`pods/${podUid}`, links, `${links}/${csiEscaped}`]
  const datesOf = (paths: Iterable<string>) => [...paths].flatMap((path) => dirs.get(path)?.modifiedAt ?? [])
  const own = datesOf(files)
  return own.length === 0 ? [] : [...own, ...datesOf([blockDirs.dev(specName), blockDirs.publish(specName), ...pod])]
}

/** Loop devices whose file was deleted and has no path any more: which volume they were of is lost. */
export function namelessLoops(snapshot: Snapshot): readonly BlockDevice[] {
  return (known(snapshot.readings['kernel.devices']) ?? []).filter(({backingFile}) => backingFile === '/ (deleted)')
}

export function isDeleted({backingFile}: BlockDevice): boolean {
  return backingFile?.endsWith(' (deleted)') ?? false
}

const prefix = `${csiPluginDir}/volumeDevices/`

function placeOf(path: string): {specName: string; podUid: string | undefined} | undefined {
  if (!path.startsWith(prefix)) return undefined
  const [first, second, third, ...rest] = path.slice(prefix.length).split('/')
  if (first === undefined || second === undefined || rest.length > 0) return undefined
  if (`${prefix}${first}` === blockDirs.allPublish) return {specName: second, podUid: third}
  return second === 'dev' && third !== undefined && `${prefix}${first}` !== blockDirs.allStaging
    ? {specName: first, podUid: third}
    : undefined
}
