// What the runtime is to make of a container. Upstream: kuberuntime/kuberuntime_container.go, generateContainerConfig; kuberuntime/labels.go
import {createHash} from 'node:crypto'
import type {ContainerConfig} from '../cri.ts'
import type {Container, Pod} from '../pod.ts'
import {type MountedVolumes, makeBlockVolumes, makeMounts} from './make-mounts.ts'

/** @param attempt how often it was started before @throws when one of its volumes is not there */
export function generateContainerConfig(pod: Pod, container: Container, attempt: number, volumes: MountedVolumes): ContainerConfig {
  const {uid} = pod.metadata
  const mounts = makeMounts(uid, container, volumes)
  const devices = makeBlockVolumes(uid, container, volumes)
  return {
    metadata: {name: container.name, attempt},
    image: container.image,
    command: container.command,
    annotations: newContainerAnnotations(pod, container, attempt),
    ...(mounts.length > 0 && {mounts}),
    ...(devices.length > 0 && {devices}),
  }
}

/** The hash is one of ours: it only has to change with the container. */
function newContainerAnnotations({metadata, spec}: Pod, container: Container, attempt: number): Readonly<Record<string, string>> {
  const {deletionGracePeriodSeconds: deletionGrace} = metadata
  return {
    'io.kubernetes.container.hash': createHash('sha256').update(JSON.stringify(container)).digest('hex').slice(0, 8),
    'io.kubernetes.container.restartCount': `${attempt}`,
    'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
    'io.kubernetes.container.terminationMessagePolicy': 'File',
    ...(deletionGrace !== undefined && {'io.kubernetes.pod.deletionGracePeriod': `${deletionGrace}`}),
    'io.kubernetes.pod.terminationGracePeriod': `${spec.terminationGracePeriodSeconds}`,
  }
}
