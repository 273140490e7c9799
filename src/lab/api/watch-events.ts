// The events of a watch: what is there, what was written since, what is written from now on; as its selector sees it.
// Upstream: apiserver pkg/storage/cacher/{cacher,cache_watcher}.go
import {expired} from './api-status.ts'
import type {Collection} from './collection.ts'
import type {Change} from './history.ts'
import {type JsonObject, text} from './json.ts'
import {apiVersion} from './kinds.ts'
import type {Selector} from './label-selector.ts'

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: JsonObject
}

export interface WatchOptions {
  readonly collection: Collection
  readonly selector: Selector
  /** '' and '0': what is there comes first. */
  readonly resourceVersion: string
  /** What is there comes first, and then a bookmark that says so. */
  readonly sendInitialEvents: boolean
  readonly current: () => number
  readonly onEvent: (event: WatchEvent) => void
  readonly signal: AbortSignal
}

/** @returns false when it has ended already, with an error */
export function watchEvents({collection, selector, resourceVersion, sendInitialEvents, current, onEvent, signal}: WatchOptions): boolean {
  const listed = () => {
    if (sendInitialEvents) onEvent(bookmark(collection, current(), {'k8s.io/initial-events-end': 'true'}))
  }
  const fresh = sendInitialEvents || resourceVersion === '' || resourceVersion === '0'
  const from = fresh ? current() : Number(resourceVersion)
  const missed = fresh ? [] : collection.history.since(from)
  if (missed === undefined) {
    onEvent({type: 'ERROR', object: expired(from, collection.history.oldest()).status})
    return false
  }
  if (fresh && collection.follow !== undefined) {
    const before = new Map<unknown, JsonObject>()
    collection.follow({
      onEvent: (type, document) => {
        const uid = text(document, 'metadata', 'uid')
        const event = seenBy(selector, type, document, before.get(uid))
        if (type === 'DELETED') before.delete(uid)
        else before.set(uid, document)
        if (event !== undefined) onEvent(event)
      },
      onListed: listed,
      signal,
    })
    return true
  }
  if (fresh) for (const object of collection.list()) if (selector(object)) onEvent({type: 'ADDED', object})
  listed()
  const pass = (change: Change) => {
    const event = seenBy(selector, change.type, change.document(), change.before())
    if (event !== undefined) onEvent(event)
  }
  for (const change of missed) pass(change)
  const stop = collection.history.subscribe((change) => {
    if (change.revision > from) pass(change)
  })
  signal.addEventListener('abort', stop, {once: true})
  return true
}

/** An object that a change brings into the selection is new to the watcher, one that it takes out is gone. */
function seenBy(selector: Selector, type: Change['type'], after: JsonObject, old: JsonObject | undefined): WatchEvent | undefined {
  const [was, is] = [old !== undefined && selector(old), type !== 'DELETED' && selector(after)]
  if (is) return {type: was ? 'MODIFIED' : 'ADDED', object: after}
  return was ? {type: 'DELETED', object: after} : undefined
}

export function bookmark({kind}: Collection, revision: number, annotations?: JsonObject): WatchEvent {
  const metadata = {resourceVersion: String(revision), creationTimestamp: null, ...(annotations === undefined ? {} : {annotations})}
  return {type: 'BOOKMARK', object: {kind: kind.kind, apiVersion: apiVersion(kind), metadata}}
}
