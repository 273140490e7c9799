// What the kernel says besides its mount table.

/** An entry of /sys/dev/block. */
export interface BlockDevice {
  /** 'major:minor'. */
  readonly device: string
  /** 'sda1', 'loop0', 'dm-3'. */
  readonly name: string
  /** Of a loop device: the file behind it, as the kernel writes it; ends in ' (deleted)' when that is gone. */
  readonly backingFile?: string
}

export interface Boot {
  /** /proc/sys/kernel/random/boot_id */
  readonly id: string
  /** Milliseconds since 1970: btime of /proc/stat. */
  readonly at: number
}

/** A process that belongs to a container, by its cgroup. */
export interface ContainerProcess {
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** The letter of /proc/PID/stat: R, S, D, Z … */
  readonly state: string
  /** The path of its cgroup that names the container or the pod. */
  readonly cgroup: string
  readonly podUid?: string
  readonly containerId?: string
}

/** What a look at a mount point gave. The look is made in another process that may hang in our stead. */
export interface MountLook {
  /** Absolute, on the host. */
  readonly mountPoint: string
  readonly outcome:
    | {readonly state: 'ok' /** 'major:minor' of what is there. */; readonly device: string}
    /** The system's code: ENOTCONN, ESTALE, EIO … */
    | {readonly state: 'error'; readonly code: string}
    | {readonly state: 'silent'; readonly afterMs: number}
    /** Never touched: autofs, or no one was free to look. */
    | {readonly state: 'skipped'; readonly why: string}
}
