// Sandboxes and containers through crictl, with the labels, annotations and mounts of the kubelet (kuberuntime_container.go, labels.go).
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Containerd} from './containerd.ts'
import {type ContainerSeen, graceSeconds, type PodObject} from './stand-in-kubelet-pods.ts'

export interface HostPath {
  readonly container: string
  readonly host: string
}

export interface Started {
  readonly sandbox: string
  readonly container: ContainerSeen
}

const hostNetwork = 2

/** @param devices a path may be a link: the runtime resolves it. */
export async function startInRuntime(
  {crictl, cgroup, folder}: Containerd,
  {metadata, spec}: PodObject,
  mounts: readonly HostPath[],
  devices: readonly HostPath[],
): Promise<Started> {
  const {name, namespace, uid, annotations} = metadata
  const labels = {'io.kubernetes.pod.name': name, 'io.kubernetes.pod.namespace': namespace, 'io.kubernetes.pod.uid': uid}
  const configs = await mkdtemp(join(folder, 'config-'))
  const write = async (file: string, config: unknown) => {
    await writeFile(join(configs, file), JSON.stringify(config))
    return join(configs, file)
  }
  const pod = await write('pod.json', {
    metadata: {name, namespace, uid, attempt: 0},
    labels: {...metadata.labels, ...labels},
    annotations,
    linux: {
      cgroup_parent: `${cgroup}/kubepods/besteffort/pod${uid}`,
      security_context: {namespace_options: {network: hostNetwork, pid: 1}},
    },
  })
  const app = spec.containers[0]
  const container = await write('container.json', {
    metadata: {name: 'app', attempt: 0},
    image: {image: app?.image},
    command: app?.command,
    mounts: mounts.map(({container, host}) => ({container_path: container, host_path: host})),
    devices: devices.map(({container, host}) => ({container_path: container, host_path: host, permissions: 'mrw'})),
    labels: {...labels, 'io.kubernetes.container.name': 'app'},
    annotations: {
      'io.kubernetes.container.hash': '6af06511',
      'io.kubernetes.container.restartCount': '0',
      'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
      'io.kubernetes.container.terminationMessagePolicy': 'File',
      'io.kubernetes.pod.terminationGracePeriod': `${graceSeconds}`,
    },
  })
  const sandbox = await crictl('runp', pod)
  const id = await crictl('create', sandbox, container, pod)
  await crictl('start', id)
  const {status} = JSON.parse(await crictl('inspect', '-o', 'json', id))
  await rm(configs, {recursive: true})
  return {sandbox, container: {id, imageId: status.imageRef, startedAt: new Date(status.startedAt).toISOString()}}
}

/** Ends the pod's containers and its sandbox; they stay in the runtime's lists. */
export async function stopInRuntime({crictl}: Containerd, {sandbox, container}: Started): Promise<void> {
  await crictl('stop', '--timeout', '0', container.id)
  await crictl('stopp', sandbox)
}

/** What the kubelet's garbage collection does later. */
export async function removeFromRuntime({crictl}: Containerd, {sandbox, container}: Started): Promise<void> {
  await crictl('rm', container.id)
  await crictl('rmp', sandbox)
}

interface Listed {
  readonly state: string
  readonly labels: Readonly<Record<string, string>>
  readonly image?: {readonly image: string}
}

/** /runningpods: what the runtime has of pods with a running container (kubecontainer.Pod.ToAPIPod). */
export async function runningPods({crictl}: Containerd): Promise<unknown[]> {
  const {containers}: {containers: Listed[]} = JSON.parse(await crictl('ps', '-o', 'json'))
  const byUid = Map.groupBy(containers, ({labels}) => labels['io.kubernetes.pod.uid'] ?? '')
  return [...byUid].map(([uid, own]) => ({
    metadata: {
      name: own[0]?.labels['io.kubernetes.pod.name'],
      namespace: own[0]?.labels['io.kubernetes.pod.namespace'],
      uid,
      creationTimestamp: null,
    },
    spec: {containers: own.map(({labels, image}) => ({name: labels['io.kubernetes.container.name'], image: image?.image, resources: {}}))},
    status: {},
  }))
}
