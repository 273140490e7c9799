// The kubelet's file system, as the model uses it: in memory in the lab, the real one later. Paths are absolute.

/** Below it all that src/node/layout.ts names. */
export const kubeletRoot = '/var/lib/kubelet'

export type EntryKind = 'directory' | 'file' | 'symlink' | 'device'

/** Rejects with a DiskError, whose code is that of the system call. */
export interface Disk {
  /** Undefined when there is nothing. */
  stat(path: string): Promise<EntryKind | undefined>
  /** Names, sorted. */
  readDir(path: string): Promise<readonly string[]>
  /** With its parents. */
  mkdirAll(path: string): Promise<void>
  /** Its folder must be there. */
  writeFile(path: string, text: string): Promise<void>
  readFile(path: string): Promise<string>
  symlink(target: string, path: string): Promise<void>
  /** An empty directory. */
  rmdir(path: string): Promise<void>
  unlink(path: string): Promise<void>
  /** Whatever is there, with all that is in it; does not cross into what is mounted: EBUSY. */
  removeAll(path: string): Promise<void>
  isMountPoint(path: string): Promise<boolean>
  /** Other mount points of what is mounted at this path. */
  mountRefs(path: string): Promise<readonly string[]>
  bindMount(source: string, path: string): Promise<void>
  unmount(path: string): Promise<void>
  /** A loop device over a device, so that the device stays what it is. Absent where there is nothing to hold. Upstream: volumepathhandler, AttachFileDevice */
  attachFileDevice?(path: string): Promise<void>
  /** Nothing to detach is fine, too. */
  detachFileDevice?(path: string): Promise<void>
}

export class DiskError extends Error {
  override readonly name = 'DiskError'
  /** A real disk has more of them. */
  readonly code: 'ENOENT' | 'ENOTEMPTY' | 'EEXIST' | 'ENOTDIR' | 'EISDIR' | 'EBUSY' | 'EINVAL' | 'ELOOP' | (string & {})

  constructor(code: DiskError['code'], path: string, cause?: unknown) {
    super(`${code}: ${path}`, cause === undefined ? undefined : {cause})
    this.code = code
  }
}
