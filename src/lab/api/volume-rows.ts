// Volumes and claims in kubectl's tables. Upstream: printPersistentVolume and printPersistentVolumeClaim in pkg/printers/internalversion/printers.go (1.37)
import {age} from './human-duration.ts'
import {at, isList, type Json, type JsonObject, object, text} from './json.ts'

export const volumeColumns = [
  'Name',
  'Capacity',
  'Access Modes',
  'Reclaim Policy',
  'Status',
  'Claim',
  'StorageClass',
  'VolumeAttributesClass',
  'Reason',
  'Age',
  '+VolumeMode',
]

export function volumeCells(volume: JsonObject, now: number): readonly Json[] {
  const spec = object(volume, 'spec')
  const {namespace, name} = object(spec, 'claimRef')
  return [
    text(volume, 'metadata', 'name') ?? '',
    text(spec, 'capacity', 'storage') ?? '0',
    accessModes(at(spec, 'accessModes')),
    text(spec, 'persistentVolumeReclaimPolicy') ?? '',
    phase(volume),
    name === undefined ? '' : `${namespace}/${name}`,
    text(spec, 'storageClassName') ?? '',
    text(spec, 'volumeAttributesClassName') ?? '<unset>',
    text(volume, 'status', 'reason') ?? '',
    age(text(volume, 'metadata', 'creationTimestamp'), now),
    text(spec, 'volumeMode') ?? '<unset>',
  ]
}

export const claimColumns = [
  'Name',
  'Status',
  'Volume',
  'Capacity',
  'Access Modes',
  'StorageClass',
  'VolumeAttributesClass',
  'Age',
  '+VolumeMode',
]

export function claimCells(claim: JsonObject, now: number): readonly Json[] {
  const spec = object(claim, 'spec')
  const bound = Boolean(text(spec, 'volumeName'))
  return [
    text(claim, 'metadata', 'name') ?? '',
    phase(claim),
    text(spec, 'volumeName') ?? '',
    bound ? (text(claim, 'status', 'capacity', 'storage') ?? '0') : '',
    bound ? accessModes(at(claim, 'status', 'accessModes')) : '',
    text(spec, 'storageClassName') ?? '',
    text(spec, 'volumeAttributesClassName') ?? '<unset>',
    age(text(claim, 'metadata', 'creationTimestamp'), now),
    text(spec, 'volumeMode') ?? '<unset>',
  ]
}

const phase = (it: JsonObject): string =>
  text(it, 'metadata', 'deletionTimestamp') === undefined ? (text(it, 'status', 'phase') ?? '') : 'Terminating'

const modes: Readonly<Record<string, string>> = {ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP'}

const accessModes = (list: Json | undefined): string =>
  isList(list)
    ? Object.keys(modes)
        .filter((mode) => list.includes(mode))
        .map((mode) => modes[mode])
        .join(',')
    : ''
