// The lines of /proc/PID/mountinfo (proc_pid_mountinfo(5)).

export interface Mount {
  readonly id: number
  readonly parent: number
  /** 'major:minor'. */
  readonly device: string
  /** The part of the source's file system that is mounted; may end in '//deleted'. */
  readonly root: string
  /** Octal escapes decoded. */
  readonly mountPoint: string
  readonly options: string
  /** 'shared:2', 'master:1' …: none to several. */
  readonly optional: readonly string[]
  readonly fsType: string
  readonly source: string
  readonly superOptions: string
}
