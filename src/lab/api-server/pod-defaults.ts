// A pod as the API server makes it from what a client wrote, already bound to the node: there is no scheduler in the lab.
import type {Dice} from '../../base/dice.ts'
import type {Container, Pod} from '../../kubelet/pod.ts'
import {programOf} from '../runtime/container-program.ts'
import {labImage} from '../runtime/images.ts'
import type {ContainerManifest, PodManifest} from './pod-manifest.ts'

/** @throws UserError when the lab cannot run what one of its containers is to run */
export function podFrom({metadata, spec}: PodManifest, now: number, dice: Dice): Pod {
  const second = Math.floor(now / 1000) * 1000
  const initContainers = spec.initContainers?.map(containerFrom)
  return {
    metadata: {
      namespace: metadata.namespace ?? 'default',
      name: metadata.name,
      uid: uuid(dice),
      resourceVersion: 0,
      creationTimestamp: second,
      ...(metadata.finalizers?.length ? {finalizers: metadata.finalizers} : {}),
      ...(metadata.labels === undefined ? {} : {labels: metadata.labels}),
    },
    spec: {
      restartPolicy: spec.restartPolicy ?? 'Always',
      terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
      ...(spec.activeDeadlineSeconds === undefined ? {} : {activeDeadlineSeconds: spec.activeDeadlineSeconds}),
      ...(initContainers === undefined ? {} : {initContainers}),
      containers: spec.containers.map(containerFrom),
      ...(spec.volumes?.length ? {volumes: spec.volumes} : {}),
    },
    status: {
      phase: 'Pending',
      conditions: [{type: 'PodScheduled', status: 'True', lastTransitionTime: second}],
      initContainerStatuses: [],
      containerStatuses: [],
    },
  }
}

function containerFrom(manifest: ContainerManifest): Container {
  const {image = labImage, command = []} = manifest
  programOf(command)
  if (manifest.lifecycle?.postStart !== undefined) programOf(manifest.lifecycle.postStart.exec.command)
  const imagePullPolicy = manifest.imagePullPolicy ?? (isLatest(image) ? 'Always' : 'IfNotPresent')
  const {readinessProbe: probe} = manifest
  return {...manifest, image, command, imagePullPolicy, ...(probe && {readinessProbe: {...probeDefaults, ...probe}})}
}

/** A kubelet panics at a period of 0. Upstream: SetDefaults_Probe */
export const probeDefaults = {timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3} as const

/** No tag, or 'latest'. A colon before a slash is a port's. */
export const isLatest = (image: string): boolean => !image.includes('@') && /(^|\/)[^/:]+(:latest)?$/.test(image)

/** Version 4 */
export function uuid(dice: Dice): string {
  const words = Array.from({length: 8}, (_, index) => {
    const word = dice.roll(0x10000)
    if (index === 3) return (word & 0x0fff) | 0x4000
    return index === 4 ? (word & 0x3fff) | 0x8000 : word
  }).map((word) => word.toString(16).padStart(4, '0'))
  return `${words.slice(0, 2).join('')}-${words.slice(2, 5).join('-')}-${words.slice(5).join('')}`
}
