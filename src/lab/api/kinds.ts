// The kinds that the lab's API server has, as discovery tells of them.
import {
  csiNodeSchema,
  genericSchema,
  nodeSchema,
  type PatchSchema,
  podSchema,
  serviceAccountSchema,
  serviceSchema,
  statusSchema,
} from './patch-schema.ts'

export interface Kind {
  /** '' is the core group. */
  readonly group: string
  readonly version: string
  /** 'pods' */
  readonly resource: string
  readonly singular: string
  readonly kind: string
  readonly namespaced: boolean
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly subresources?: readonly string[]
  readonly patchSchema: PatchSchema
  /** An older version of another one here: the same objects under another apiVersion. */
  readonly versionOf?: Kind
}

type Row = Pick<Kind, 'resource' | 'kind'> & Partial<Kind>

const of = (group: string, rows: readonly Row[]): readonly Kind[] =>
  rows.map((row) => ({
    group,
    version: 'v1',
    singular: row.kind.toLowerCase(),
    namespaced: false,
    patchSchema: genericSchema,
    ...row,
  }))

const status = ['status']

const current: readonly Kind[] = [
  ...of('', [
    {
      resource: 'pods',
      kind: 'Pod',
      namespaced: true,
      shortNames: ['po'],
      categories: ['all'],
      subresources: status,
      patchSchema: podSchema,
    },
    {resource: 'namespaces', kind: 'Namespace', shortNames: ['ns'], subresources: status, patchSchema: statusSchema},
    {resource: 'nodes', kind: 'Node', shortNames: ['no'], subresources: status, patchSchema: nodeSchema},
    {resource: 'persistentvolumes', kind: 'PersistentVolume', shortNames: ['pv'], subresources: status},
    {
      resource: 'persistentvolumeclaims',
      kind: 'PersistentVolumeClaim',
      namespaced: true,
      shortNames: ['pvc'],
      subresources: status,
      patchSchema: statusSchema,
    },
    {resource: 'configmaps', kind: 'ConfigMap', namespaced: true, shortNames: ['cm']},
    {resource: 'secrets', kind: 'Secret', namespaced: true},
    {
      resource: 'services',
      kind: 'Service',
      namespaced: true,
      shortNames: ['svc'],
      categories: ['all'],
      subresources: status,
      patchSchema: serviceSchema,
    },
    {resource: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true, shortNames: ['sa'], patchSchema: serviceAccountSchema},
    {resource: 'events', kind: 'Event', namespaced: true, shortNames: ['ev']},
  ]),
  ...of('coordination.k8s.io', [{resource: 'leases', kind: 'Lease', namespaced: true}]),
  ...of('storage.k8s.io', [
    {resource: 'csidrivers', kind: 'CSIDriver'},
    {resource: 'csinodes', kind: 'CSINode', patchSchema: csiNodeSchema},
    {resource: 'volumeattachments', kind: 'VolumeAttachment', subresources: status},
    {resource: 'storageclasses', kind: 'StorageClass', shortNames: ['sc']},
  ]),
  ...of('node.k8s.io', [{resource: 'runtimeclasses', kind: 'RuntimeClass'}]),
]

/** What kubelets up to 1.18 ask for. */
const older = ['storage.k8s.io/v1beta1/csidrivers', 'node.k8s.io/v1beta1/runtimeclasses'].map((path): Kind => {
  const [group, version = '', resource] = path.split('/')
  const versionOf = current.find((kind) => kind.group === group && kind.resource === resource)
  if (versionOf === undefined) throw new Error(`there is no ${resource}`)
  return {...versionOf, version, versionOf}
})

export const kinds: readonly Kind[] = [...current, ...older]

const byResource = new Map(kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.resource}`, kind]))

export const kindOf = (group: string, version: string, resource: string): Kind | undefined =>
  byResource.get(`${group}/${version}/${resource}`)

/** 'pods', 'leases.coordination.k8s.io': as errors have it. */
export const qualified = ({group, resource}: Kind): string => (group === '' ? resource : `${resource}.${group}`)

export const apiVersion = ({group, version}: Kind): string => (group === '' ? version : `${group}/${version}`)

/** '/api/v1', '/apis/storage.k8s.io/v1' */
export const groupPath = ({group, version}: Pick<Kind, 'group' | 'version'>): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`

/** '/api/v1/namespaces/{namespace}/pods/{name}', as OpenAPI has it. */
export const itemPath = (kind: Kind): string =>
  `${groupPath(kind)}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.resource}/{name}`
