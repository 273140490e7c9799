// Pod objects as the API server has them, like those of fixtures/nodes/healthy.
import {randomUUID} from 'node:crypto'
import {busyboxImage} from './containerd.ts'
import {podStatus} from './stand-in-kubelet-status.ts'
import {inlineHandle, nodeName, type PodVolume} from './stand-in-kubelet-volume.ts'
import {timestamp} from './timestamp.ts'

/** A pod of one container `app` that sleeps, with one volume or none. */
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

const volumeNames = {filesystem: 'data', block: 'dev', inline: 'scratch'} as const
export const graceSeconds = 2

export function podObject(spec: PodSpec, uid = randomUUID() as string) {
  const now = timestamp()
  return {
    metadata: {
      name: spec.name,
      namespace: 'default',
      uid,
      resourceVersion: '1',
      creationTimestamp: now,
      ...(spec.finalizers && {finalizers: spec.finalizers}),
      labels: {app: spec.name},
      annotations: {
        'kubernetes.io/config.seen': now,
        'kubernetes.io/config.source': 'api',
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({env: planted.applied}),
      },
    } as PodMeta,
    spec: {
      ...(spec.volume && {volumes: [{name: volumeNames[spec.volume.kind], ...volumeSource(spec.volume)}]}),
      containers: [{...container, ...(spec.volume && mountOf(spec.volume))}],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: graceSeconds,
      dnsPolicy: 'ClusterFirst',
      automountServiceAccountToken: false,
      nodeName,
      hostNetwork: true,
      securityContext: {},
      schedulerName: 'default-scheduler',
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: podStatus(now),
  }
}

export type PodObject = ReturnType<typeof podObject>

interface PodMeta {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly creationTimestamp: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
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

const container = {
  name: 'app',
  env: [{name: 'DB_PASSWORD', value: planted.environment}],
  args: [`--password=${planted.option}`],
  image: busyboxImage,
  command: ['/bin/sleep', '100000000'],
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
}

function volumeSource(volume: PersistentSpec | InlineSpec) {
  if (volume.kind === 'inline') return {csi: {driver: volume.driver, volumeAttributes: {password: planted.context}}}
  return {persistentVolumeClaim: {claimName: `claim-of-${volume.pv}`}}
}

function mountOf({kind}: PersistentSpec | InlineSpec) {
  const name = volumeNames[kind]
  return kind === 'block' ? {volumeDevices: [{name, devicePath: '/dev/xvda'}]} : {volumeMounts: [{name, mountPath: `/${name}`}]}
}

export function volumeOf({volume}: PodSpec, {metadata}: PodObject): PodVolume | undefined {
  if (volume === undefined) return undefined
  const {namespace, name: podName, uid} = metadata
  const name = volumeNames[volume.kind]
  return {
    name,
    driver: volume.driver,
    block: volume.kind === 'block',
    inline: volume.kind === 'inline',
    pod: {namespace, name: podName, uid},
    ...(volume.kind === 'inline' ? {specName: name, handle: inlineHandle(uid, name)} : {specName: volume.pv, handle: volume.handle}),
  }
}
