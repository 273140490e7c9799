// What the main process and a stat worker say to each other: one JSON object a line. The worker says hello first; each answer is any
// number of parts and one end.
import type {DiskEntry} from '../disk.ts'

export type EntryFacts = Omit<DiskEntry, 'path' | 'content'>

/** What lstat said: the facts, or the system's code. */
export type Looked = {readonly facts: EntryFacts} | {readonly code: string}

/** A mount point below the root that is walked. */
export interface WalkedMount {
  /** Below the root. */
  readonly path: string
  readonly fsType: string
  readonly device: string
  /** Of a kind that cannot hang for want of a server. */
  readonly local: boolean
}

export interface WalkRequest {
  /** Where the root is to be opened. */
  readonly root: string
  /** Undefined: the mount table was not read. Then the device numbers alone say what is another file system. */
  readonly mounts?: readonly WalkedMount[]
  /** Directories that are done, or that a worker did not come back from. */
  readonly skip: readonly string[]
}

export interface WalkPart {
  /** The directory that is entered after this part: where the worker hangs when no other part comes. */
  readonly entering: string
  readonly entries: readonly DiskEntry[]
  readonly volData: readonly ReadFile[]
  /** What could not be looked at, and why. */
  readonly problems: readonly string[]
}

/** A file's bytes in base64, or why there are none. */
export type ReadFile = {readonly path: string} & ({readonly base64: string} | {readonly unreadable: string; readonly denied?: true})

export interface Operations {
  readonly stat: {readonly request: {readonly path: string}; readonly part: Looked}
  /** Looks at the root of what is mounted at each path, in their order. `device`: they are all of this file system, which is asked, too. */
  readonly mount: {readonly request: {readonly paths: readonly string[]; readonly device?: string}; readonly part: Looked}
  readonly walk: {readonly request: WalkRequest; readonly part: WalkPart}
}

export type Request = {
  readonly [Op in keyof Operations]: {readonly id: number; readonly op: Op} & Operations[Op]['request']
}[keyof Operations]

export type Answer =
  | {readonly hello: true}
  | {readonly id: number; readonly part: unknown}
  | {readonly id: number; readonly end: true}
  /** A fault of ours: what the system says is in the parts. */
  | {readonly id: number; readonly failed: string}
