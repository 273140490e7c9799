// What is left below volumeDevices of a raw block volume, pod by pod: the bind at dev/, the publish file, the loop device that holds it.
import {belowRoot} from '../../node/below-root.ts'
import type {BlockDevice} from '../../node/kernel/facts.ts'
import {blockDirs, csiPluginDir} from '../../node/layout.ts'
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
  /** When the newest of its files was made, where somebody captured it. */
  readonly changedAt: number | undefined
}

interface Parts {
  readonly specName: string
  readonly podUid: string | undefined
  readonly files: Set<string>
  readonly mounts: RootMount[]
  readonly loops: BlockDevice[]
  changedAt: number | undefined
}

export function rawBlocks(snapshot: Snapshot): RawBlock[] {
  const parts = new Map<string, Parts>()
  const partsAt = (path: string): Parts | undefined => {
    const at = placeOf(path)
    if (at === undefined) return undefined
    const key = `${at.specName}/${at.podUid ?? ''}`
    const there = parts.get(key) ?? {...at, files: new Set<string>(), mounts: [], loops: [], changedAt: undefined}
    parts.set(key, there)
    return there
  }
  for (const {path, type, modifiedAt} of known(snapshot.readings['disk.entries']) ?? []) {
    // A directory at publish/<pv> is today's layout, one at publish/<pv>/<uid> is a driver's of its own making.
    const found = type === 'directory' ? undefined : partsAt(path)
    if (found === undefined) continue
    found.files.add(path)
    if (modifiedAt !== undefined) found.changedAt = Math.max(modifiedAt, found.changedAt ?? modifiedAt)
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
  return [...parts.values()].map((each) => ({...each, files: [...each.files]}))
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
