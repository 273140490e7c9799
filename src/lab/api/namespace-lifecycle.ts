// A namespace must be there for what is in it, and goes when all in it is gone.
// Upstream: apiserver plugin pkg/admission/plugin/namespace/lifecycle, pkg/controller/namespace
import type {Clock} from '../../base/clock.ts'
import {formatInstant} from '../../base/instant.ts'
import {type ApiError, forbidden, notFound} from './api-status.ts'
import {type Collection, type Deleted, type DeleteOptions, keyOf} from './collection.ts'
import type {DocumentStore} from './document-store.ts'
import {type JsonObject, object, text} from './json.ts'
import type {Kind} from './kinds.ts'
import {checkPreconditions} from './object-meta.ts'

export interface NamespaceLifecycle {
  /** @throws ApiError when nothing can be made in it */
  check(kind: Kind, namespace: string, name: string): void
  delete(name: string, options: DeleteOptions): Promise<Deleted>
}

const permanent = ['default', 'kube-system', 'kube-public']

export function namespaceLifecycle(clock: Clock, store: DocumentStore, all: readonly Collection[]): NamespaceLifecycle {
  const inside = all.filter(({kind}) => kind.namespaced)
  const terminating = new Set<string>()
  const contents = (name: string): readonly (readonly [Collection, JsonObject])[] =>
    inside.flatMap((collection) =>
      collection
        .list()
        .filter((document) => text(document, 'metadata', 'namespace') === name)
        .map((document) => [collection, document] as const),
    )
  const finish = (name: string) => {
    const namespace = store.get(keyOf(undefined, name))
    if (!terminating.has(name) || namespace === undefined || contents(name).length > 0) return
    terminating.delete(name)
    store.remove(namespace)
  }
  for (const {history} of inside) {
    history.subscribe(({type, document}) => {
      if (type === 'DELETED' && terminating.size > 0) finish(text(document(), 'metadata', 'namespace') ?? '')
    })
  }
  return {
    check: (kind, namespace, name) => {
      const found = store.get(keyOf(undefined, namespace))
      if (found === undefined) throw notFound(store.kind, namespace)
      if (terminating.has(namespace)) throw beingTerminated(kind, namespace, name)
    },
    delete: async (name, options) => {
      const found = store.get(keyOf(undefined, name))
      if (found === undefined) throw notFound(store.kind, name)
      checkPreconditions(store.kind, found, options)
      if (permanent.includes(name)) throw forbidden(store.kind, name, 'this namespace may not be deleted')
      if (options.dryRun || terminating.has(name)) return {document: found, removed: false}
      terminating.add(name)
      const deletionTimestamp = formatInstant(Math.floor(clock.now() / 1000) * 1000)
      const metadata = {...object(found, 'metadata'), deletionTimestamp}
      const document = store.write({...found, metadata, status: {phase: 'Terminating'}})
      for (const [collection, each] of contents(name)) {
        const key = keyOf(name, text(each, 'metadata', 'name') ?? '')
        // Somebody else may have been quicker.
        await collection.delete(key, {dryRun: false}).catch(() => {})
      }
      finish(name)
      return {document, removed: store.get(keyOf(undefined, name)) === undefined}
    },
  }
}

function beingTerminated(kind: Kind, namespace: string, name: string): ApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const message = `namespace ${namespace} is being terminated`
  return forbidden(kind, name, why, [{reason: 'NamespaceTerminating', message, field: 'metadata.namespace'}])
}
