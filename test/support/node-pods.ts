// Pods of a node of real parts, as a client writes them: one container `app` that sleeps, with one volume or none.
import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {podVolumeDir, stagingDir} from '../../src/node/layout.ts'
import {busyboxImage} from './containerd.ts'

export interface PodSpec {
  readonly name: string
  readonly volume?: PersistentSpec | InlineSpec
  /** Of another controller. */
  readonly finalizers?: readonly string[]
}

/** A claim that is bound to a volume which the driver has made. */
export interface PersistentSpec {
  readonly kind: 'filesystem' | 'block'
  readonly pv: string
  readonly driver: string
  readonly handle: string
}

export interface InlineSpec {
  readonly kind: 'inline'
  readonly driver: string
}

/** With the names that the kubelet gives it. */
export interface PodVolume {
  /** The PersistentVolume's name; of an inline volume its name in the pod. */
  readonly specName: string
  readonly driver: string
  readonly handle: string
  readonly podUid: string
}

/** What no bundle may hold, in the places where secrets are found on nodes. */
export const planted = {
  environment: 'planted-in-the-environment',
  context: 'planted-in-the-volume-context',
  applied: 'planted-in-the-applied-configuration',
  option: 'planted-in-an-option',
  log: 'plantedInTheLog.0123456789',
  kubeconfig: 'planted-in-the-kubeconfig',
} as const

export const nodeName = 'n1'
export const graceSeconds = 2

const volumeNames = {filesystem: 'data', block: 'dev', inline: 'scratch'} as const

export function podManifest({name, volume, finalizers = []}: PodSpec) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      ...(finalizers.length > 0 && {finalizers}),
      labels: {app: name},
      annotations: {'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({env: planted.applied})},
    },
    spec: {
      ...(volume && {volumes: [{name: volumeNames[volume.kind], ...volumeSource(volume)}]}),
      containers: [
        {
          name: 'app',
          image: busyboxImage,
          command: ['/bin/sh', '-c', 'exec /bin/sleep 100000000'],
          // The shell's name for itself.
          args: [`--password=${planted.option}`],
          env: [{name: 'DB_PASSWORD', value: planted.environment}],
          ...(volume && mountOf(volume)),
        },
      ],
      terminationGracePeriodSeconds: graceSeconds,
      automountServiceAccountToken: false,
    },
  }
}

function volumeSource(volume: PersistentSpec | InlineSpec) {
  if (volume.kind === 'inline') return {csi: {driver: volume.driver, volumeAttributes: {password: planted.context}}}
  return {persistentVolumeClaim: {claimName: claimOf(volume.pv)}}
}

function mountOf({kind}: PersistentSpec | InlineSpec) {
  const name = volumeNames[kind]
  return kind === 'block' ? {volumeDevices: [{name, devicePath: '/dev/xvda'}]} : {volumeMounts: [{name, mountPath: `/${name}`}]}
}

const claimOf = (pv: string) => `claim-of-${pv}`

interface Manifest {
  readonly metadata: {readonly name: string}
}

/** With the paths of their kinds. The two bind as soon as both are there. */
export function claimManifests({kind, pv, driver, handle}: PersistentSpec): readonly (readonly [string, Manifest & object])[] {
  const common = {
    accessModes: ['ReadWriteOnce'],
    volumeMode: kind === 'block' ? 'Block' : 'Filesystem',
    storageClassName: '',
  }
  const storage = '1Mi'
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {name: pv},
    spec: {...common, capacity: {storage}, persistentVolumeReclaimPolicy: 'Retain', csi: {driver, volumeHandle: handle}},
  }
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {name: claimOf(pv)},
    spec: {...common, resources: {requests: {storage}}, volumeName: pv},
  }
  return [
    ['/api/v1/persistentvolumes', volume],
    ['/api/v1/namespaces/default/persistentvolumeclaims', claim],
  ]
}

export function podVolume(volume: PersistentSpec | InlineSpec, podUid: string): PodVolume {
  const {driver} = volume
  if (volume.kind !== 'inline') return {specName: volume.pv, driver, handle: volume.handle, podUid}
  const specName = volumeNames.inline
  return {
    specName,
    driver,
    handle: `csi-${createHash('sha256')
      .update(podUid + specName)
      .digest('hex')}`,
    podUid,
  }
}

export function globalMountPath(root: string, {driver, handle}: PodVolume): string {
  return join(root, stagingDir(driver, handle), 'globalmount')
}

export function publishTarget(root: string, {podUid, specName}: PodVolume): string {
  return join(root, podVolumeDir(podUid, specName), 'mount')
}
