// What keeps the directory of a pod, and how a person removes it: never with `rm -r`, and nothing before the mounts are gone.
import {formatInstant} from '../../base/instant.ts'
import {kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import type {DiskEntry} from '../../node/disk.ts'
import {whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {checkAgain} from '../check-again.ts'
import type {Evidence, Remedy} from '../finding.ts'
import {shellWord} from '../shell-word.ts'
import type {LeftPodDir} from './left-pod-dirs.ts'
import {mountEvidence, unmountRemedies} from './unmounting.ts'

export interface Leftover {
  readonly kind: 'still-mounted' | 'subpath' | 'flexvolume' | 'data-left' | 'metadata-only' | 'empty'
  /** What is left, in words. */
  readonly what: string
  readonly mounted: boolean
  readonly evidence: readonly Evidence[]
  readonly remedy: readonly Remedy[]
}

/** The worst of what is left. */
export function leftoverOf(snapshot: Snapshot, left: LeftPodDir): Leftover {
  const found = mountsLeft(snapshot, left) ?? flexVolumeLeft(snapshot, left) ?? dataLeft(snapshot, left) ?? recordsLeft(snapshot, left)
  // Without the mount table nobody knows what a command would reach.
  const blind = whole(snapshot.readings['kernel.mounts']) === undefined && !found.mounted
  return blind ? {...found, remedy: [lookForMounts(snapshot, left)]} : found
}

function mountsLeft(snapshot: Snapshot, {mounts: paths, subpathMounts}: LeftPodDir): Leftover | undefined {
  const mounts = kubeletMounts(snapshot)
  const all = [...paths, ...subpathMounts]
  if (mounts === undefined || all.length === 0) return undefined
  const kind = paths.length > 0 ? 'still-mounted' : 'subpath'
  const [first] = all
  const what = all.length === 1 ? `${first} is still mounted` : `${first} and ${all.length - 1} more in it are still mounted`
  const again = checkAgain('look again when nothing is mounted any more: then the kubelet removes what it can')
  return {kind, what, mounted: true, evidence: mountEvidence(mounts, all), remedy: [...unmountRemedies(mounts, all), again]}
}

/** 'vendor~driver' on disk, while the plugin is known as 'flexvolume-vendor/driver' (kubernetes/kubernetes#82215, #61684). */
function flexVolumeLeft(snapshot: Snapshot, left: LeftPodDir): Leftover | undefined {
  const volume = left.content.volumes.find(({kind}) => kind.includes('~') && !kind.startsWith('kubernetes.io~'))
  if (volume === undefined) return undefined
  return {
    kind: 'flexvolume',
    what: `${volume.name} is a volume of the FlexVolume driver ${volume.kind.replace('~', '/')}, which the kubelet cannot reconstruct`,
    mounted: false,
    evidence: [{source: 'disk.entries', fact: `${volume.path} is there`}],
    remedy: [setAside(snapshot, left)],
  }
}

function dataLeft(snapshot: Snapshot, left: LeftPodDir): Leftover | undefined {
  const {data, subpaths} = left.content
  if (data.length === 0 && subpaths.length > 0) {
    const what = 'the directories of its subPaths are there, and nothing is mounted at them'
    return {
      kind: 'subpath',
      what,
      mounted: false,
      evidence: [{source: 'disk.entries', fact: `${subpaths[0]} is there`}],
      remedy: [setAside(snapshot, left)],
    }
  }
  if (data.length === 0) return undefined
  const what = `${described(data)} in its volumes, which the kubelet never removes`
  return {
    kind: 'data-left',
    what,
    mounted: false,
    evidence: data.slice(0, 3).map(({path, size}) => ({source: 'disk.entries', fact: `${path}, ${size} bytes`})),
    remedy: [setAside(snapshot, left)],
  }
}

function described(data: readonly DiskEntry[]): string {
  const bytes = data.reduce((sum, {size}) => sum + size, 0)
  const dates = data.flatMap(({modifiedAt}) => modifiedAt ?? [])
  const newest = dates.length === 0 ? 'none of them dated' : `the newest of ${formatInstant(dates.reduce((a, b) => Math.max(a, b)))}`
  return `${data.length === 1 ? '1 file' : `${data.length} files`} of ${bytes} bytes (${newest})`
}

/** kubernetes/kubernetes#105536: the file is all that keeps the directory. */
function recordsLeft(snapshot: Snapshot, {path, content}: LeftPodDir): Leftover {
  const {records, volumes} = content
  const removeEmpty: Remedy = {
    command: `find ${shellWord(`${snapshot.kubeletRoot}/${path}/volumes`)} -xdev -depth -type d -empty -delete`,
    why: 'removes empty directories only; the kubelet removes the rest within seconds',
    loses: null,
  }
  if (records.length === 0) {
    const what = volumes.length === 0 ? 'it has no volume any more' : 'its volumes are empty directories'
    const evidence = [{source: 'disk.entries', fact: `no file lies below ${path}/volumes`}]
    const log: Remedy = {
      command: `journalctl -u kubelet --since -10min | grep ${shellWord(path.slice('pods/'.length))}`,
      why: 'says why the kubelet does not remove it',
      loses: null,
    }
    return {kind: 'empty', what, mounted: false, evidence, remedy: volumes.length === 0 ? [log] : [log, removeEmpty]}
  }
  const removeRecords = records.map((record) => ({
    command: `rm ${shellWord(`${snapshot.kubeletRoot}/${record}`)}`,
    why: 'it is all that keeps the directory, and nothing is mounted',
    loses: 'the only record in this directory of the driver and the volume handle',
  }))
  return {
    kind: 'metadata-only',
    what: `vol_data.json is all that is left in ${records.length === 1 ? 'a volume' : `${records.length} volumes`} of it, and the kubelet removes directories only`,
    mounted: false,
    evidence: records.slice(0, 3).map((record) => ({source: 'disk.entries', fact: `${record} is there, and no other file`})),
    remedy: [...removeRecords, removeEmpty],
  }
}

/** A rename within one file system: nothing is copied, nothing is deleted. */
function setAside({kubeletRoot}: Snapshot, {path, uid}: LeftPodDir): Remedy {
  return {
    command: `mv -T ${shellWord(`${kubeletRoot}/${path}`)} ${shellWord(`${kubeletRoot}/left-${uid}`)}`,
    why: 'sets it aside where the kubelet does not look; nothing is deleted: see what is in it before you delete it',
    loses: null,
  }
}

function lookForMounts({kubeletRoot}: Snapshot, {path}: LeftPodDir): Remedy {
  return {
    command: `grep -F ${shellWord(`${kubeletRoot}/${path}/`)} /proc/1/mountinfo`,
    why: 'the mount table was not read: nothing in the directory may be removed before it is known that nothing is mounted there',
    loses: null,
  }
}
