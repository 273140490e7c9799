// What lies in the directory of a pod, sorted into what the kubelet can remove by itself and what it cannot.
import type {KubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import type {DiskEntry} from '../../node/disk.ts'

export interface PodDirContent {
  /** `volumes/<kind>/<name>`, such as 'kubernetes.io~csi' and 'pv1'. */
  readonly volumes: readonly {readonly kind: string; readonly name: string; readonly path: string}[]
  /** vol_data.json files of its CSI volumes. */
  readonly records: readonly string[]
  /** Whatever else is no directory below volumes/. */
  readonly data: readonly DiskEntry[]
  /** Directories and files of subPaths. */
  readonly subpaths: readonly string[]
  /** When the kubelet last changed something here, in milliseconds since 1970; what is in volumes does not count. */
  readonly changedAt: number | undefined
}

export function podDirContent(dirs: KubeletDirs, podDir: string): PodDirContent {
  const kinds = dirs.names(`${podDir}/volumes`)
  const volumes = kinds.flatMap((kind) => {
    const path = `${podDir}/volumes/${kind}`
    return dirs.names(path).map((name) => ({kind, name, path: `${path}/${name}`}))
  })
  const records = volumes.map(({path}) => `${path}/vol_data.json`).filter((path) => dirs.get(path) !== undefined)
  const recordSet = new Set(records)
  const data = within(dirs, `${podDir}/volumes`).filter(({path, type}) => type !== 'directory' && !recordSet.has(path))
  const structure = [podDir, `${podDir}/volumes`, ...kinds.map((kind) => `${podDir}/volumes/${kind}`), ...volumes.map(({path}) => path)]
  const dates = [...structure, ...records].flatMap((path) => dirs.get(path)?.modifiedAt ?? [])
  return {
    volumes,
    records,
    data,
    subpaths: within(dirs, `${podDir}/volume-subpaths`).map(({path}) => path),
    changedAt: dates.length === 0 ? undefined : Math.max(...dates),
  }
}

function within(dirs: KubeletDirs, directory: string): DiskEntry[] {
  const found: DiskEntry[] = []
  const left = [directory]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    for (const name of dirs.names(path)) {
      const entry = dirs.get(`${path}/${name}`)
      if (entry !== undefined) found.push(entry)
      left.push(`${path}/${name}`)
    }
  }
  return found
}
