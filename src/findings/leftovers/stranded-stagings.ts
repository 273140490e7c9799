// Volumes that are staged and that no pod of this node has: V04.
import {oncePer} from '../../base/once-per.ts'
import type {ForgottenVolume} from '../../kubelet/traces/forgotten.ts'
import {kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {type KubeletMounts, kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import {lastMentions} from '../../kubelet/traces/last-mentions.ts'
import type {UnreadableVolume} from '../../kubelet/traces/reconstruct.ts'
import {blockDirs, csiEscaped, uniqueVolumeName} from '../../node/layout.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot, SourceName} from '../../node/snapshot.ts'
import type {DetectContext} from '../detector.ts'
import {healingMs} from '../healing.ts'
import {uncertainVolumes} from '../uncertain/uncertain-volume.ts'
import {type StagingFolder, stagingFolders, stagingPaths} from '../volumes/staging.ts'
import {type NamedVolume, volumeNames} from '../volumes/volume-names.ts'

export interface StrandedStaging {
  readonly mode: 'filesystem' | 'block'
  /** Its globalmount, or its directory in volumeDevices/staging: below the kubelet's root. */
  readonly path: string
  /** The directory that holds vol_data.json. */
  readonly folder: string
  readonly hasRecord: boolean
  readonly driver: string | undefined
  readonly handle: string | undefined
  readonly specName: string | undefined
  readonly mounts: readonly string[]
  /** For how long nobody has worked on it, at least, and what tells so; undefined when nothing does. */
  readonly idle: {readonly ms: number; readonly source: SourceName} | undefined
  /** Whether the node's volumesInUse has it; undefined when that was not read, or lists nothing of this driver's. */
  readonly inUse: boolean | undefined
}

/** Those that U01 and U02 speak of are not among them: a pod waits for those, or the log tells how the call ended. */
export const strandedStagings: (context: DetectContext) => readonly StrandedStaging[] = oncePer((context) => {
  const {belief, snapshot} = context
  const mounts = kubeletMounts(snapshot)
  if (belief === undefined || mounts === undefined) return []
  const uncertain = [...uncertainVolumes(context, 'staged'), ...uncertainVolumes(context, 'published')].map(({volume}) => volume)
  const uncertainPaths = new Set(uncertain.map(({path}) => path))
  const uncertainSpecs = new Set(uncertain.flatMap(({mode, specName}) => (mode === 'block' && specName !== undefined ? [specName] : [])))
  const unreadable = namedUnreadable(context)
  // A pod has a volume of which nothing tells which one it is: it may be any of these. V02 says so.
  if (unreadable.some(({named}) => named === undefined)) return []
  const held = new Set(unreadable.flatMap(({named}) => (named === undefined ? [] : [uniqueVolumeName(named.driver, named.handle)])))
  const isHeld = ({driver, handle}: Found) => driver !== undefined && handle !== undefined && held.has(uniqueVolumeName(driver, handle))
  const found = [...withRecord(context, belief.forgotten), ...withoutRecord(context), ...blockVolumes(snapshot, belief.forgotten, mounts)]
  return found
    .filter(({path, mode, specName}) => !uncertainPaths.has(path) && !(mode === 'block' && uncertainSpecs.has(specName ?? '')))
    .filter((each) => !isHeld(each))
    .map((each) => ({...each, idle: idleOf(snapshot, each), inUse: inUse(context, each)}))
})

type Found = Omit<StrandedStaging, 'idle' | 'inUse'>

/** Entries of pods whose vol_data.json is of no use (V02), and what else names their volumes. */
function namedUnreadable(context: DetectContext): {entry: UnreadableVolume; named: NamedVolume | undefined}[] {
  const names = volumeNames(context)
  return (context.belief?.unreadable ?? []).map((entry) => ({entry, named: names.bySpecName(entry.specName, entry.podUid)}))
}

function withRecord({snapshot}: DetectContext, forgotten: readonly ForgottenVolume[]): Found[] {
  const folders = stagingFolders(snapshot)
  return forgotten.flatMap(({what, mode, path, driver, handle, specName}) => {
    const folder = folders.get(path.replace(/\/globalmount$/, ''))
    if (what !== 'staged' || mode !== 'filesystem' || folder === undefined) return []
    return [{mode, path, folder: folder.path, hasRecord: true, driver, handle, specName, mounts: folder.mounts}]
  })
}

/** Mounted, and the file beside it gone or not to be used: since 1.25 the kubelet then takes it for unstaged. */
function withoutRecord(context: DetectContext): Found[] {
  const {snapshot, belief} = context
  const readable = new Set(belief?.forgotten.map(({path}) => path))
  const used = new Set(belief?.volumes.flatMap(({driver, handle, specName}) => stagingPaths(driver, handle, specName)))
  const unnamed = new Set(belief?.unreadable.map(({specName}) => specName))
  const isOpen = ({path, specName, mounts}: StagingFolder) =>
    mounts.length > 0 && !readable.has(`${path}/globalmount`) && !used.has(path) && !unnamed.has(specName ?? '')
  return [...stagingFolders(snapshot).values()].filter(isOpen).map(({path, driver, specName, mounts, hasRecord}) => {
    const named = volumeNames(context).byStagingFolder(path)
    return {
      mode: 'filesystem',
      path: `${path}/globalmount`,
      folder: path,
      hasRecord,
      driver: named?.driver ?? driver,
      handle: named?.handle,
      specName: specName ?? named?.specName,
      mounts,
    }
  })
}

/** The directory is made before NodeStageVolume and removed after NodeUnstageVolume, and nothing need be mounted in it. */
function blockVolumes(snapshot: Snapshot, forgotten: readonly ForgottenVolume[], mounts: KubeletMounts): Found[] {
  const dirs = kubeletDirs(known(snapshot.readings['disk.entries']) ?? [])
  return forgotten.flatMap(({mode, specName, podUid, driver, handle}): Found[] => {
    // What is still published is V11's, or U02's.
    if (mode !== 'block' || specName === undefined || podUid !== undefined || handle === undefined) return []
    const path = blockDirs.staging(specName)
    if (dirs.get(path) === undefined) return []
    return [{mode, path, folder: blockDirs.data(specName), hasRecord: true, driver, handle, specName, mounts: mounts.pathsWithin(path)}]
  })
}

/**
 * The last pod may have left a moment ago, and NodeUnstageVolume be running. The directory is as old as the stage; what tells is when a
 * directory of a pod last changed, and when the log last spoke of the volume.
 */
function idleOf(snapshot: Snapshot, {handle}: Found): StrandedStaging['idle'] {
  const podsChanged = lastEntryRemoved(snapshot)
  const log = whole(snapshot.readings['kubelet.log'])
  const mentions = log && lastMentions(log)
  const current = mentions?.until !== undefined && snapshot.when - mentions.until < healingMs
  const spoken = current && handle !== undefined ? mentions.notSince(handle) : undefined
  // A log that is silent about what the disk shows to have happened lacks lines: then the younger of the two counts.
  const since = tellsOfChange(snapshot) ? Math.min(podsChanged ?? Infinity, spoken ?? Infinity) : Math.max(podsChanged ?? 0, spoken ?? 0)
  if (since === Infinity) return undefined
  return {ms: snapshot.when - since, source: since === podsChanged ? 'disk.entries' : 'kubelet.log'}
}

/** Whether the log speaks of volumes at the time when a directory of a pod last changed. */
const tellsOfChange: (snapshot: Snapshot) => boolean = oncePer((snapshot) => {
  const changed = lastEntryRemoved(snapshot)
  const log = whole(snapshot.readings['kubelet.log'])
  if (changed === undefined || log === undefined) return true
  return log.some(({at, message}) => at !== undefined && Math.abs(at - changed) < 30_000 && /volume/i.test(message))
})

/** A directory changes with its entries: no volume of a pod went after this moment. Undefined when nobody dated them. */
const lastEntryRemoved: (snapshot: Snapshot) => number | undefined = oncePer((snapshot) => {
  const dirs = kubeletDirs(known(snapshot.readings['disk.entries']) ?? [])
  const ofVolumes = ['', `/volumes`, `/volumes/${csiEscaped}`, '/volumeDevices', `/volumeDevices/${csiEscaped}`]
  const paths = dirs.names('pods').flatMap((uid) => ofVolumes.map((below) => `pods/${uid}${below}`))
  const dates = ['pods', ...paths].flatMap((path) => dirs.get(path) ?? []).map(({modifiedAt}) => modifiedAt)
  return dates.length === 0 || dates.includes(undefined) ? undefined : dates.reduce((a, b) => Math.max(a ?? 0, b ?? 0))
})

/** Only volumes that are attached are listed: a driver of which a working volume is missing there is not of that kind. */
function inUse({snapshot, belief}: DetectContext, {driver, handle}: Found): boolean | undefined {
  const node = whole(snapshot.readings['api.node'])
  if (node === undefined || driver === undefined || handle === undefined) return undefined
  const listed = new Set(node.volumesInUse)
  if (listed.has(uniqueVolumeName(driver, handle))) return true
  const unlisted = belief?.volumes.some(
    (volume) => volume.driver === driver && !volume.ephemeral && volume.published && !listed.has(volume.uniqueName),
  )
  return unlisted ? undefined : false
}

export function isIdle({idle}: StrandedStaging): boolean {
  return idle !== undefined && idle.ms >= healingMs
}
