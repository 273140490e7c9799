// The objects of one kind, however they are kept.
import type {Change, History} from './history.ts'
import type {JsonObject} from './json.ts'
import type {Kind} from './kinds.ts'

/** 'namespace/name', '/name' of objects without a namespace. */
export const keyOf = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`

export interface UpdateOptions {
  readonly dryRun: boolean
  /** 'status': it alone changes. */
  readonly subresource?: string
}

export interface DeleteOptions {
  readonly dryRun: boolean
  readonly gracePeriodSeconds?: number
  readonly uid?: string
  readonly resourceVersion?: string
}

export interface Deleted {
  readonly document: JsonObject
  /** It is gone; else it goes when its grace is over or its finalizers are. */
  readonly removed: boolean
}

export interface Follower {
  readonly onEvent: (type: Change['type'], document: JsonObject) => void
  readonly onListed: () => void
  readonly signal: AbortSignal
}

/** Refuses with an ApiError. */
export interface Collection {
  readonly kind: Kind
  readonly history: History
  /** What is there, and then what is written, as watchers come to hear of it. Absent: at once. */
  readonly follow?: (follower: Follower) => void
  get(key: string): JsonObject | undefined
  list(): readonly JsonObject[]
  create(document: JsonObject, dryRun: boolean): Promise<JsonObject>
  /** @param change makes the whole document as it is to be, of the one that is there when it is done */
  update(key: string, change: (document: JsonObject) => JsonObject, options: UpdateOptions): Promise<JsonObject>
  delete(key: string, options: DeleteOptions): Promise<Deleted>
}
