// Places of volumes below the kubelet's root: what pods have, what is staged, and the record beside each.
import {csiEscaped, csiPluginDir} from '../../layout.ts'
import {known} from '../../reading.ts'
import type {Snapshot} from '../../snapshot.ts'
import type {VolDataFile} from '../../vol-data.ts'
import type {Facts, Thing} from '../thing.ts'
import type {Pair, View} from '../view.ts'

interface Place {
  readonly name: string
  /** Where something is mounted; absent: nothing ever is. */
  readonly mount?: string
  /** Where vol_data.json lies, where there is to be one. */
  readonly record?: string
}

export const volumeViews: readonly View[] = [
  {
    group: 'volumes',
    sources: ['disk.entries'],
    things: (snapshot, pair) => {
      const mounted = mountedBelow(snapshot)
      const records = new Map((known(snapshot.readings['disk.vol-data']) ?? []).map(({path, data}) => [path, data]))
      return (known(snapshot.readings['disk.entries']) ?? []).flatMap(({path}): Thing[] => {
        const place = placeOf(path, pair)
        if (place === undefined) return []
        const {name, mount, record} = place
        return [{key: path, name, facts: {...mountFacts(mount, mounted, snapshot, pair), ...recordFacts(record, records, snapshot, pair)}}]
      })
    },
  },
]

const podPlace = /^pods\/([^/]+)\/(volumes|volumeDevices)\/([^/]+)\/([^/]+)$/
const blockPlace = new RegExp(`^${csiPluginDir}/volumeDevices/(?:(publish)/([^/]+)/([^/]+)|(staging)/([^/]+)|([^/]+)/data)$`)
const stagingPlace = new RegExp(`^${csiPluginDir}/(?!volumeDevices/)[^/]+/[^/]+$`)

function placeOf(path: string, {podNames}: Pair): Place | undefined {
  const podName = (uid = '') => podNames.get(uid) ?? `pod ${uid}`
  const [, uid, kind, plugin, volume] = podPlace.exec(path) ?? []
  if (kind === 'volumeDevices') return {name: `link to ${volume} of ${podName(uid)}`}
  if (kind === 'volumes')
    return plugin === csiEscaped
      ? {name: `${volume} of ${podName(uid)}`, mount: `${path}/mount`, record: `${path}/vol_data.json`}
      : {name: `${volume} (${plugin?.replace('~', '/')}) of ${podName(uid)}`, mount: path}
  const [block, publish, published, blockUid, staging, , recorded] = blockPlace.exec(path) ?? []
  if (publish !== undefined) return {name: `block ${published} of ${podName(blockUid)}`, mount: path}
  if (staging !== undefined) return {name: `staging ${path.slice(csiPluginDir.length + 1)}`, mount: path}
  if (block !== undefined) return {name: `record of block ${recorded}`, record: `${path}/vol_data.json`}
  if (!stagingPlace.test(path)) return undefined
  return {name: `staging ${path.slice(csiPluginDir.length + 1)}`, mount: `${path}/globalmount`, record: `${path}/vol_data.json`}
}

function mountedBelow({readings, kubeletRoot, kubeletRootReal}: Snapshot): ReadonlySet<string> {
  const roots = [kubeletRoot, ...(kubeletRootReal === undefined ? [] : [kubeletRootReal])].map((root) => `${root}/`)
  return new Set(
    (known(readings['kernel.mounts']) ?? []).flatMap(({mountPoint}) =>
      roots.filter((root) => mountPoint.startsWith(root)).map((root) => mountPoint.slice(root.length)),
    ),
  )
}

function mountFacts(mount: string | undefined, mounted: ReadonlySet<string>, snapshot: Snapshot, {whole}: Pair): Facts {
  if (mount === undefined) return {}
  return {mounted: mounted.has(mount) || (whole(snapshot, 'kernel.mounts') ? false : undefined)}
}

const recordKeys = ['driverName', 'volumeHandle', 'specVolID', 'nodeName', 'attachmentID', 'volumeLifecycleMode'] as const

function recordFacts(
  path: string | undefined,
  records: ReadonlyMap<string, VolDataFile['data']>,
  snapshot: Snapshot,
  {whole}: Pair,
): Facts {
  if (path === undefined) return {}
  const data = records.get(path)
  if (data === undefined) {
    const unknown = whole(snapshot, 'disk.vol-data') ? null : undefined
    return Object.fromEntries(['vol_data', ...recordKeys].map((key) => [key, unknown]))
  }
  if ('unreadable' in data)
    return {...Object.fromEntries(recordKeys.map((key) => [key, undefined])), vol_data: `unreadable: ${data.unreadable}`}
  return {...Object.fromEntries(recordKeys.map((key) => [key, data[key] ?? null])), vol_data: 'readable'}
}
