// Claims that name their volume, and volumes that name their claim, are bound as soon as both are there; what a CSI driver serves of them the kubelet
// may ask for. Upstream: pkg/controller/volume/persistentvolume, pre-bound volumes
import type {ApiServer} from '../api-server/api-server.ts'
import {keyOf} from './collection.ts'
import type {DocumentStore} from './document-store.ts'
import {defined, type JsonObject, object, text} from './json.ts'

export function bindClaims(api: ApiServer, claims: DocumentStore, volumes: DocumentStore): void {
  const volumeOf = (claim: JsonObject): JsonObject | undefined => {
    const named = text(claim, 'spec', 'volumeName')
    if (named !== undefined && named !== '') return volumes.get(keyOf(undefined, named))
    return volumes.list().find((volume) => isOf(volume, claim))
  }
  const bind = (claim: JsonObject, volume: JsonObject): void => {
    const [metadata, spec] = [object(claim, 'metadata'), object(volume, 'spec')]
    const anothers = spec.claimRef !== undefined && !isOf(volume, claim)
    if (anothers || text(claim, 'status', 'phase') === 'Bound') return
    const claimRef = {kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...defined(pick(metadata, 'namespace', 'name', 'uid'))}
    const annotations = {...object(metadata, 'annotations'), 'pv.kubernetes.io/bind-completed': 'yes'}
    claims.write({
      ...claim,
      metadata: {...metadata, annotations},
      spec: {...object(claim, 'spec'), volumeName: text(volume, 'metadata', 'name') ?? ''},
      status: {phase: 'Bound', ...defined(pick(spec, 'accessModes', 'capacity'))},
    })
    volumes.write({...volume, spec: {...spec, claimRef}, status: {phase: 'Bound'}})
    const [namespace, name] = [text(metadata, 'namespace') ?? '', text(metadata, 'name') ?? '']
    const [driver, volumeHandle] = [text(spec, 'csi', 'driver'), text(spec, 'csi', 'volumeHandle')]
    if (driver === undefined || volumeHandle === undefined) return
    const volumeMode = text(spec, 'volumeMode') === 'Block' ? 'Block' : 'Filesystem'
    api.addClaim({namespace, name, volumeName: text(volume, 'metadata', 'name') ?? '', driver, volumeHandle, volumeMode})
  }
  claims.history.subscribe(({type, document}) => {
    const claim = document()
    const volume = volumeOf(claim)
    if (type !== 'DELETED') {
      if (volume !== undefined) bind(claim, volume)
      return
    }
    api.dropClaim({namespace: text(claim, 'metadata', 'namespace') ?? '', name: text(claim, 'metadata', 'name') ?? ''})
    if (volume !== undefined) volumes.write({...volume, status: {phase: 'Released'}})
  })
  volumes.history.subscribe(({type, document}) => {
    if (type === 'DELETED') return
    const volume = document()
    const claim = claims.list().find((each) => isOf(volume, each) || text(each, 'spec', 'volumeName') === text(volume, 'metadata', 'name'))
    if (claim !== undefined) bind(claim, volume)
  })
}

/** The volume names it: by its uid when it says one. */
function isOf(volume: JsonObject, claim: JsonObject): boolean {
  const {name, namespace, uid} = object(volume, 'spec', 'claimRef')
  const metadata = object(claim, 'metadata')
  if (name === undefined || name !== metadata.name || namespace !== metadata.namespace) return false
  return uid === undefined || uid === metadata.uid
}

const pick = (from: JsonObject, ...fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, from[field]]))

/** The claims that the lab began with, as documents. */
export async function seedClaims(api: ApiServer, claims: DocumentStore, volumes: DocumentStore): Promise<void> {
  for (const {namespace, name, volumeName, driver, volumeHandle, volumeMode} of api.claims()) {
    const common = {accessModes: ['ReadWriteOnce'], volumeMode, storageClassName: ''}
    const size = {storage: '1Gi'}
    const spec = {...common, capacity: size, persistentVolumeReclaimPolicy: 'Retain', csi: {driver, volumeHandle}}
    await volumes.create({metadata: {name: volumeName}, spec}, false)
    await claims.create({metadata: {namespace, name}, spec: {...common, resources: {requests: size}, volumeName}}, false)
  }
}
