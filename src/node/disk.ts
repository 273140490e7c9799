// What lies below the kubelet's root.
import {readInstant} from '../base/instant.ts'
import {fieldsOf, onlySet} from './kube-list.ts'

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
  /** 'major:minor' of the file system it lies on. */
  readonly device?: string
  /** Of a directory that a pod or a driver writes in, when nothing is mounted there: its entries are not listed. */
  readonly content?: DirectoryContent
}

/** One level of a directory: how much lies in it, never what. */
export interface DirectoryContent {
  readonly entries: number
  /** There are more than were counted. */
  readonly more?: true
  /** Of the files that were counted. */
  readonly bytes: number
  /** Milliseconds since 1970: the newest entry that was counted. */
  readonly newestAt?: number
}

// The words of this file, or the letters of `find -printf %y`.
const types: Readonly<Record<string, EntryType>> = {
  file: 'file',
  f: 'file',
  directory: 'directory',
  d: 'directory',
  link: 'link',
  l: 'link',
  socket: 'socket',
  s: 'socket',
  block: 'block',
  b: 'block',
  character: 'character',
  c: 'character',
  fifo: 'fifo',
  p: 'fifo',
}

/** One line of a bundle's disk/entries.jsonl; undefined when it lacks what an entry is. */
export function parseDiskEntry(line: unknown): DiskEntry | undefined {
  const entry = fieldsOf(line)
  if (entry === undefined || typeof entry.path !== 'string' || typeof entry.type !== 'string') return undefined
  const mode = typeof entry.mode === 'string' && /^[0-7]{1,4}$/.test(entry.mode) ? Number.parseInt(entry.mode, 8) : undefined
  if (mode === undefined || typeof entry.size !== 'number') return undefined
  return onlySet<DiskEntry>({
    path: entry.path,
    type: Object.hasOwn(types, entry.type) ? (types[entry.type] ?? 'other') : 'other',
    mode,
    size: entry.size,
    target: typeof entry.target === 'string' ? entry.target : undefined,
    modifiedAt: readInstant(entry.modifiedAt),
    device: typeof entry.device === 'string' ? entry.device : undefined,
    content: parseContent(entry.content),
  })
}

function parseContent(field: unknown): DirectoryContent | undefined {
  const content = fieldsOf(field)
  if (content === undefined || typeof content.entries !== 'number' || typeof content.bytes !== 'number') return undefined
  return onlySet<DirectoryContent>({
    entries: content.entries,
    more: content.more === true ? true : undefined,
    bytes: content.bytes,
    newestAt: readInstant(content.newestAt),
  })
}
