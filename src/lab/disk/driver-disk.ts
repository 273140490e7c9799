// The node's disk as a driver of the lab uses it: it mounts what it brings along.
import type {Disk} from '../../kubelet/disk.ts'

export interface DriverDisk extends Disk {
  makeFilesystem(device: string): Mountable
  makeBlockDevice(device: string): Mountable
  /** What it covers must be there: a directory for a file system, a file for a block device. */
  mount(what: Mountable, path: string): Promise<void>
}

/** What a driver brings along: the same wherever it is mounted. */
export interface Mountable {
  readonly device: string
}
