// What a bundle may hold at most. A real node's is a few megabytes; these only keep a hostile one from taking the memory.

const MiB = 1024 * 1024

export const limits = {
  /** Bytes of an archive as it lies on the disk. */
  archive: 256 * MiB,
  /** Bytes of all files together, and of an archive once it is inflated. */
  total: 256 * MiB,
  file: 64 * MiB,
  entries: 20_000,
} as const

export function inMiB(bytes: number): string {
  return `${bytes / MiB} MiB`
}
