// The kernel's mounts as a kubelet uses them: mount(8), umount(8) and /proc/self/mountinfo (k8s.io/mount-utils, mount_linux.go, mount_helper_unix.go). Paths are resolved
// ones. What it makes or undoes is root's to do.
import {readFile} from 'node:fs/promises'
import {posix} from 'node:path'
import {execa} from 'execa'
import {DiskError} from '../../kubelet/disk.ts'
import {type Mount, parseMountinfo} from '../../node/mountinfo.ts'

/** In the order of the table: the last at a place is the one that is seen. */
const mountTable = async (): Promise<readonly Mount[]> => parseMountinfo(await readFile('/proc/self/mountinfo', 'utf8'))

export const mountPoints = async (): Promise<ReadonlySet<string>> => new Set((await mountTable()).map(({mountPoint}) => mountPoint))

/** Where else the same part of the same file system is mounted. Upstream: SearchMountPoints */
export async function mountRefs(path: string): Promise<readonly string[]> {
  const table = await mountTable()
  const holder = table.findLast(({mountPoint}) => path === mountPoint || path.startsWith(mountPoint === '/' ? '/' : `${mountPoint}/`))
  if (holder === undefined) return []
  const root = posix.join(holder.root, path.slice(holder.mountPoint === '/' ? 0 : holder.mountPoint.length))
  return table
    .filter((each) => each.id !== holder.id && each.device === holder.device && each.root === root)
    .map(({mountPoint}) => mountPoint)
    .sort()
}

export const bindMount = (source: string, target: string): Promise<void> => run('mount', ['--bind', source, target], target)

export const unmount = (path: string): Promise<void> => run('umount', [path], path)

async function run(command: 'mount' | 'umount', args: readonly string[], path: string): Promise<void> {
  const {failed, stderr, shortMessage = ''} = await execa(command, [...args], {reject: false, env: {LC_ALL: 'C'}, stdin: 'ignore'})
  if (!failed) return
  const said = stderr || shortMessage
  const code = /busy/.test(said) ? 'EBUSY' : /permission denied|must be superuser|only root/.test(said) ? 'EPERM' : 'EIO'
  throw new DiskError(code, path, new Error(said))
}
