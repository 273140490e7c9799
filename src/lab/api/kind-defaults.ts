// What a new object of each kind has when its writer says nothing of it. Upstream: pkg/apis/core/v1/defaults.go and the kinds' strategies
import {defined, type JsonObject, object} from './json.ts'
import type {Kind} from './kinds.ts'

const defaults: Readonly<Record<string, (document: JsonObject) => JsonObject>> = {
  Namespace: (document) => ({
    ...document,
    metadata: {
      ...object(document, 'metadata'),
      labels: {...object(document, 'metadata', 'labels'), 'kubernetes.io/metadata.name': object(document, 'metadata').name ?? ''},
    },
    spec: {finalizers: ['kubernetes']},
    status: {phase: 'Active'},
  }),
  PersistentVolume: (document) => ({
    ...document,
    spec: {persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem', ...object(document, 'spec')},
    status: {phase: 'Available'},
  }),
  PersistentVolumeClaim: (document) => ({
    ...document,
    spec: {volumeMode: 'Filesystem', ...object(document, 'spec')},
    status: {phase: 'Pending'},
  }),
  // Upstream: pkg/apis/storage/v1/defaults.go. A kubelet of today panics where one is not there.
  CSIDriver: (document) => ({
    ...document,
    spec: {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
      ...object(document, 'spec'),
    },
  }),
  Secret: ({stringData, ...document}) => ({type: 'Opaque', ...document, ...defined({data: secretData(document.data, stringData)})}),
}

function secretData(data: unknown, plain: unknown): JsonObject | undefined {
  if (data === undefined && plain === undefined) return undefined
  const encoded = Object.entries(object(plain)).map(([key, value]) => [key, Buffer.from(String(value)).toString('base64')])
  return {...object(data), ...Object.fromEntries(encoded)}
}

export const defaulted = (kind: Kind, document: JsonObject): JsonObject => defaults[kind.kind]?.(document) ?? document
