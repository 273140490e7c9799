// What a recording may hold at most.

const MiB = 1024 * 1024

export const recordingLimits = {
  /** Of one line: a call with its messages. */
  line: 64 * MiB,
  /** Of the file; what is longer is not read to its end. */
  file: 1024 * MiB,
} as const
