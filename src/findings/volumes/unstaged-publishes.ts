// Volumes that a pod has or waits for and that should be staged, and are not: V05, and the reason of many a V06.
import {formatInstant} from '../../base/instant.ts'
import {oncePer} from '../../base/once-per.ts'
import {kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {type KubeletMounts, kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import type {BelievedVolume} from '../../kubelet/traces/reconstruct.ts'
import type {Mount} from '../../node/mountinfo.ts'
import {isOver, type Pod} from '../../node/pod.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {DetectContext} from '../detector.ts'
import type {Evidence} from '../finding.ts'
import {stagingGraceMs} from '../graces.ts'
import {lastStart} from '../healing.ts'
import {podPresence} from '../pods/pod-presence.ts'
import {changeOf, later, missingSince, type Proof} from '../since.ts'
import {type StagingFolder, stagingFolders, stagingPaths} from './staging.ts'

export interface UnstagedPublish {
  readonly volume: BelievedVolume
  readonly pod: Pod
  /** Where it should be staged, below the kubelet's root. */
  readonly stagingPath: string
  /** What is missing, and why it should be there. */
  readonly evidence: readonly Evidence[]
}

/** By the volume's directory. Only where something says that this driver stages. */
export const unstagedPublishes: (context: DetectContext) => ReadonlyMap<string, UnstagedPublish> = oncePer(
  ({snapshot, belief, profile}) => {
    const mounts = kubeletMounts(snapshot)
    const presence = podPresence(snapshot)
    if (belief === undefined || mounts === undefined) return new Map()
    const folders = stagingFolders(snapshot)
    const persistent = belief.volumes.filter(({mode, ephemeral}) => mode === 'filesystem' && !ephemeral)
    const capable = stagingCapability(snapshot)
    const stagedOf = mountedByDriver(persistent, folders)
    const found = persistent.flatMap((volume): [string, UnstagedPublish][] => {
      const pod = presence.pod(volume.podUid)
      const capability = capable.get(volume.driver)
      if (pod === undefined || pod.deletedAt !== undefined || isOver(pod) || capability === false) return []
      // Before 1.25 the entry in the pod's directory is made ahead of NodeStageVolume, which may still be running.
      if (!profile.switches.has('pod-data-at-setup') && volume.published !== true && presence.running(pod.uid).length === 0) return []
      const paths = stagingPaths(volume.driver, volume.handle, volume.specName)
      const folder = paths.map((path) => folders.get(path)).find((each) => each !== undefined)
      const lack = lackOf(folder, capability === true, stagedOf.get(volume.driver))
      if (lack === undefined || servedFromElsewhere(volume, mounts)) return []
      const stagingPath = `${folder?.path ?? paths[0]}/globalmount`
      return [[volume.path, {volume, pod, stagingPath, evidence: [...lack, publishFact(volume, mounts)]}]]
    })
    return new Map(found)
  },
)

/** What a driver says of STAGE_UNSTAGE_VOLUME; drivers that do not answer are not in it. */
function stagingCapability(snapshot: Snapshot): ReadonlyMap<string, boolean> {
  const drivers = known(snapshot.readings['csi.drivers']) ?? []
  return new Map(
    drivers.flatMap(({name, answer, capabilities}) =>
      name === undefined || answer.state !== 'answers' || capabilities === undefined
        ? []
        : [[name, capabilities.includes('STAGE_UNSTAGE_VOLUME')]],
    ),
  )
}

/** One volume of each driver that a pod has and whose globalmount is mounted. */
function mountedByDriver(
  volumes: readonly BelievedVolume[],
  folders: ReadonlyMap<string, StagingFolder>,
): ReadonlyMap<string, BelievedVolume> {
  const found = new Map<string, BelievedVolume>()
  for (const volume of volumes) {
    if (found.has(volume.driver)) continue
    const paths = stagingPaths(volume.driver, volume.handle, volume.specName)
    if (paths.some((path) => (folders.get(path)?.mounts.length ?? 0) > 0)) found.set(volume.driver, volume)
  }
  return found
}

function lackOf(folder: StagingFolder | undefined, capable: boolean, other: BelievedVolume | undefined): Evidence[] | undefined {
  if (folder !== undefined && folder.mounts.length > 0) return undefined
  const stages = {source: 'csi.drivers', fact: 'the driver has STAGE_UNSTAGE_VOLUME'}
  if (capable && folder === undefined) return [stages, {source: 'disk.entries', fact: 'the volume has no globalmount, in neither layout'}]
  if (capable && !folder?.hasRecord) return [stages, {source: 'disk.entries', fact: `${folder?.path} has no vol_data.json`}]
  if (other === undefined) return undefined
  return [
    {
      source: 'kernel.mounts',
      fact: `nothing is mounted at the globalmount of this volume, while that of ${other.specName}, of the same driver, is mounted`,
    },
  ]
}

/** A publish that shows something real: the driver stages where we do not look, or staged before it said that it does. */
function servedFromElsewhere(volume: BelievedVolume, mounts: KubeletMounts): boolean {
  const published = mounts.at(`${volume.path}/mount`).at(-1)
  return published !== undefined && !isBareStaging(published, mounts)
}

/** A bind mount of the directory that should have been mounted upon: the node's own disk. */
function isBareStaging(mount: Mount, mounts: KubeletMounts): boolean {
  return mounts.ownPath(mount)?.includes('/globalmount') ?? false
}

function publishFact(volume: BelievedVolume, mounts: KubeletMounts): Evidence {
  const published = mounts.at(`${volume.path}/mount`).at(-1)
  const fact =
    published === undefined
      ? `nothing is mounted at ${volume.path}/mount`
      : `${volume.path}/mount shows the bare directory ${mounts.ownPath(published)}: what is written there goes to the node's own disk`
  return {source: 'kernel.mounts', fact}
}

/** Since when the volume has had the chance to be staged; undefined when nothing tells. */
export function chanceToStage(context: DetectContext, {pod, volume}: UnstagedPublish): Proof | undefined {
  const {snapshot} = context
  const {createdAt, uid} = pod
  const made = changeOf(volume.path, kubeletDirs(known(snapshot.readings['disk.entries']) ?? []).get(volume.path)?.modifiedAt)
  const source = podPresence(snapshot).sourceOf(uid) ?? 'kubelet.pods'
  const created = createdAt !== undefined && {at: createdAt, evidence: [{source, fact: `the pod was made at ${formatInstant(createdAt)}`}]}
  const began = [...(created ? [created] : []), ...(made ? [made] : [])]
  if (began.length === 0) return undefined
  // After a start of the node or the kubelet everything is staged anew.
  const start = lastStart(context)
  return [...began, ...(start ? [start] : [])].reduce(later)
}

/** A volume that was staged may have been unstaged since: only where its directory is missing something tells when. */
export function unstagedSince(snapshot: Snapshot, {volume}: UnstagedPublish, chance: Proof): Proof | undefined {
  const gone = stagingPaths(volume.driver, volume.handle, volume.specName).map((path) => missingSince(snapshot, path))
  const proofs = gone.filter((each) => each !== undefined)
  if (proofs.length < gone.length) return undefined
  const unstaged = proofs.reduce(later)
  const {at} = later(chance, unstaged)
  return snapshot.when - at < stagingGraceMs ? undefined : {at, evidence: [...chance.evidence, ...unstaged.evidence]}
}
