// The lab has no volumes that would have to be attached: what the kubelet has in use counts as attached, and nothing else. Upstream, in the other order:
// pkg/controller/volume/attachdetach
import {isDeepStrictEqual} from 'node:util'
import {keyOf} from './collection.ts'
import type {DocumentStore} from './document-store.ts'
import {at, isList, object, text} from './json.ts'

export function attachVolumes(nodes: DocumentStore): void {
  nodes.history.subscribe(({type, document}) => {
    if (type === 'DELETED') return
    const node = nodes.get(keyOf(undefined, text(document(), 'metadata', 'name') ?? '')) ?? {}
    const inUse = at(node, 'status', 'volumesInUse')
    if (!isList(inUse)) return
    const volumesAttached = inUse.map((name) => ({name, devicePath: ''}))
    if (isDeepStrictEqual(at(node, 'status', 'volumesAttached') ?? [], volumesAttached)) return
    nodes.write({...node, status: {...object(node, 'status'), volumesAttached}})
  })
}
