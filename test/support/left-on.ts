// What a test says of the disk below the kubelet's root.
import type {MemoryDisk} from '../../src/lab/disk/memory-disk.ts'

/** The deepest directories, files, links and mount points, with their long names cut. */
export function leftOn(disk: MemoryDisk): string[] {
  const rows = disk.listing('/var/lib/kubelet')
  const isParent = (path: string) => rows.some((each) => each.path.startsWith(`${path}/`))
  return rows
    .filter(({path, kind, mounted}) => kind !== 'directory' || mounted !== undefined || !isParent(path))
    .map(({path, mounted}) => short(path) + (mounted === undefined ? '' : ' (mounted)'))
}

const short = (path: string): string =>
  path
    .replace('/var/lib/kubelet/', '')
    .replace('plugins/kubernetes.io/csi/', '')
    .replace(/[0-9a-f]{64}/, '<sha>')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uid>')
