// What lies below the kubelet's root.

export type EntryType = 'file' | 'directory' | 'link' | 'socket' | 'block' | 'character' | 'fifo' | 'other'

export interface DiskEntry {
  /** Below the kubelet's root, no slash at either end; empty for the root itself. */
  readonly path: string
  readonly type: EntryType
  /** Permission bits. */
  readonly mode: number
  /** Bytes. */
  readonly size: number
  /** Of a link: what it points at, as written. */
  readonly target?: string
  /** Milliseconds since 1970; absent when nobody captured it: the age is then unknown. */
  readonly modifiedAt?: number
}
