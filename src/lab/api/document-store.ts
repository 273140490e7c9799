// Objects of which the lab knows nothing but their documents.
import {formatInstant} from '../../base/instant.ts'
import {alreadyExists, notFound} from './api-status.ts'
import {type Collection, keyOf} from './collection.ts'
import {history} from './history.ts'
import {at, isList, type JsonObject, object, text} from './json.ts'
import {defaulted} from './kind-defaults.ts'
import type {Kind} from './kinds.ts'
import {checkPreconditions, newDocument, updatedDocument} from './object-meta.ts'

export interface DocumentStore extends Collection {
  /** Behind the door: no preconditions. Undefined: it goes. */
  write(document: JsonObject): JsonObject
  remove(document: JsonObject): void
}

export interface StoreParts {
  readonly now: () => number
  /** The next of the whole server. */
  readonly nextRevision: () => number
  readonly newUid: () => string
  readonly suffix: () => string
}

export function documentStore(kind: Kind, {now, nextRevision, newUid, suffix}: StoreParts): DocumentStore {
  const documents = new Map<string, JsonObject>()
  const past = history()
  const keyIn = (document: JsonObject) => keyOf(text(document, 'metadata', 'namespace'), text(document, 'metadata', 'name') ?? '')
  const find = (key: string): JsonObject => {
    const document = documents.get(key)
    if (document === undefined) throw notFound(kind, key.slice(key.indexOf('/') + 1))
    return document
  }
  const stamped = (document: JsonObject): [JsonObject, number] => {
    const revision = nextRevision()
    return [{...document, metadata: {...object(document, 'metadata'), resourceVersion: String(revision)}}, revision]
  }
  const write = (document: JsonObject): JsonObject => {
    const before = documents.get(keyIn(document))
    const [written, revision] = stamped(document)
    documents.set(keyIn(written), written)
    past.push({type: before === undefined ? 'ADDED' : 'MODIFIED', revision, document: () => written, before: () => before})
    return written
  }
  const remove = (document: JsonObject) => {
    documents.delete(keyIn(document))
    const [last, revision] = stamped(document)
    past.push({type: 'DELETED', revision, document: () => last, before: () => document})
  }
  return {
    kind,
    history: past,
    get: (key) => documents.get(key),
    list: () => [...documents.values()],
    write,
    remove,
    create: async (document, dryRun) => {
      const namespace = text(document, 'metadata', 'namespace')
      const made = newDocument(kind, document, {uid: newUid(), now: now(), suffix, ...(namespace === undefined ? {} : {namespace})})
      const name = text(made, 'metadata', 'name') ?? ''
      if (documents.has(keyIn(made))) throw alreadyExists(kind, name)
      const whole = defaulted(kind, made)
      return dryRun ? whole : write(whole)
    },
    update: async (key, change, {dryRun, subresource}) => {
      const old = find(key)
      const next = updatedDocument(kind, old, change(old), subresource)
      if (next === old || dryRun) return next
      const written = write(next)
      if (text(written, 'metadata', 'deletionTimestamp') !== undefined && !isHeld(written)) remove(written)
      return written
    },
    delete: async (key, {dryRun, ...preconditions}) => {
      const document = find(key)
      checkPreconditions(kind, document, preconditions)
      const held = isHeld(document)
      if (dryRun) return {document, removed: !held}
      if (!held) {
        remove(document)
        return {document, removed: true}
      }
      if (text(document, 'metadata', 'deletionTimestamp') !== undefined) return {document, removed: false}
      const deletionTimestamp = formatInstant(Math.floor(now() / 1000) * 1000)
      const metadata = {...object(document, 'metadata'), deletionTimestamp, deletionGracePeriodSeconds: 0}
      return {document: write({...document, metadata}), removed: false}
    },
  }
}

/** By its finalizers. */
function isHeld(document: JsonObject): boolean {
  const finalizers = at(document, 'metadata', 'finalizers')
  return isList(finalizers) && finalizers.length > 0
}
