// All that the lab's API server has, by kind.
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import type {ApiServer} from '../api-server/api-server.ts'
import {attachVolumes} from './attached-volumes.ts'
import {bindClaims, seedClaims} from './claim-binding.ts'
import type {Collection} from './collection.ts'
import {type DocumentStore, documentStore} from './document-store.ts'
import {type Kind, kindOf, kinds} from './kinds.ts'
import {type NamespaceLifecycle, namespaceLifecycle} from './namespace-lifecycle.ts'
import {podCollection} from './pod-collection.ts'
import {labNode} from './seeded-node.ts'
import {type AppliedBefore, appliedBefore} from './server-side-apply.ts'

export interface ApiWorld {
  readonly clock: Clock
  of(kind: Kind): Collection
  readonly pods: Collection
  readonly namespaces: NamespaceLifecycle
  readonly applied: AppliedBefore
  /** The version of the last write. */
  revision(): number
}

export interface WorldOptions {
  readonly server: ApiServer
  readonly clock: Clock
  readonly dice: Dice
  readonly nodeName: string
  /** The node is there although no kubelet has registered it. */
  readonly seedNode: boolean
  /** The lab has to understand what containers run. */
  readonly validatePrograms: boolean
  readonly kubeletVersion: string
}

const letters = 'bcdfghjklmnpqrstvwxz2456789'

export async function apiWorld({
  server,
  clock,
  dice,
  nodeName,
  seedNode,
  validatePrograms,
  kubeletVersion,
}: WorldOptions): Promise<ApiWorld> {
  const suffixes = dice.of('generated names')
  const uids = dice.of('uids')
  const suffix = () => Array.from({length: 5}, () => letters[suffixes.roll(letters.length)]).join('')
  const parts = {now: clock.now, nextRevision: server.revision.next, newUid: () => server.newUid(uids), suffix}
  const stores = new Map<Kind, DocumentStore>()
  const collections = new Map<Kind, Collection>()
  for (const kind of kinds) {
    if (kind.versionOf !== undefined) continue
    if (kind.resource === 'pods') {
      collections.set(kind, podCollection(kind, {api: server, now: clock.now, suffix, nodeName, validatePrograms}))
    } else {
      const store = documentStore(kind, parts)
      stores.set(kind, store)
      collections.set(kind, store)
    }
  }
  const of = (kind: Kind): Collection => found(collections.get(kind.versionOf ?? kind), kind.resource)
  const store = (resource: string): DocumentStore => found(stores.get(found(kindOf('', 'v1', resource), resource)), resource)
  const namespaces = namespaceLifecycle(clock, store('namespaces'), [...collections.values()])
  attachVolumes(store('nodes'))
  bindClaims(server, store('persistentvolumeclaims'), store('persistentvolumes'))
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    await store('namespaces').create({metadata: {name}}, false)
    await store('serviceaccounts').create({metadata: {namespace: name, name: 'default'}}, false)
  }
  await seedClaims(server, store('persistentvolumeclaims'), store('persistentvolumes'))
  if (seedNode) await store('nodes').create(labNode(nodeName, kubeletVersion, clock.now()), false)
  const pods = of(found(kindOf('', 'v1', 'pods'), 'pods'))
  return {clock, of, pods, namespaces, applied: appliedBefore(), revision: server.revision.current}
}

function found<T>(it: T | undefined, name: string): T {
  if (it === undefined) throw new Error(`the API has no ${name}`)
  return it
}
