// Sandboxes and containers through crictl, with the labels, annotations and mounts of the kubelet (kuberuntime_container.go, labels.go).
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Containerd} from './containerd.ts'
import {graceSeconds, type PodObject} from './stand-in-kubelet-pods.ts'
import type {ContainerEnd, ContainerSeen} from './stand-in-kubelet-status.ts'

export interface HostPath {
  readonly container: string
  readonly host: string
}

/** What a container gets of the node. A device's path may be a link: the runtime resolves it. */
export interface HostPaths {
  readonly mounts: readonly HostPath[]
  readonly devices: readonly HostPath[]
}

export interface Started {
  readonly sandbox: string
  readonly container: ContainerSeen
}

const hostNetwork = 2

export async function startInRuntime(rig: Containerd, object: PodObject, paths: HostPaths): Promise<Started> {
  await using configs = await configFolder(rig)
  const sandbox = await rig.crictl('runp', await configs.write('pod.json', podConfig(rig, object)))
  return {sandbox, container: await startContainer(rig, object, sandbox, {attempt: 0, ...paths})}
}

/** The pod's container `app`, once more: what a kubelet does that takes the one before it for gone. */
export async function startContainer(
  rig: Containerd,
  object: PodObject,
  sandbox: string,
  {attempt, mounts, devices}: HostPaths & {readonly attempt: number},
): Promise<ContainerSeen> {
  const {crictl} = rig
  await using configs = await configFolder(rig)
  const app = object.spec.containers[0]
  const container = await configs.write('container.json', {
    metadata: {name: 'app', attempt},
    image: {image: app?.image},
    command: app?.command,
    mounts: mounts.map(({container, host}) => ({container_path: container, host_path: host})),
    devices: devices.map(({container, host}) => ({container_path: container, host_path: host, permissions: 'mrw'})),
    labels: {...podLabels(object), 'io.kubernetes.container.name': 'app'},
    annotations: {
      'io.kubernetes.container.hash': '6af06511',
      'io.kubernetes.container.restartCount': `${attempt}`,
      'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
      'io.kubernetes.container.terminationMessagePolicy': 'File',
      'io.kubernetes.pod.terminationGracePeriod': `${graceSeconds}`,
    },
  })
  const id = await crictl('create', sandbox, container, await configs.write('pod.json', podConfig(rig, object)))
  await crictl('start', id)
  const {status} = JSON.parse(await crictl('inspect', '-o', 'json', id))
  return {id, imageId: status.imageRef, startedAt: new Date(status.startedAt).toISOString()}
}

function podConfig({cgroup}: Containerd, object: PodObject): object {
  const {name, namespace, uid, annotations, labels} = object.metadata
  return {
    metadata: {name, namespace, uid, attempt: 0},
    labels: {...labels, ...podLabels(object)},
    annotations,
    linux: {
      cgroup_parent: `${cgroup}/kubepods/besteffort/pod${uid}`,
      security_context: {namespace_options: {network: hostNetwork, pid: 1}},
    },
  }
}

function podLabels({metadata: {name, namespace, uid}}: PodObject): Readonly<Record<string, string>> {
  return {'io.kubernetes.pod.name': name, 'io.kubernetes.pod.namespace': namespace, 'io.kubernetes.pod.uid': uid}
}

async function configFolder({folder}: Containerd) {
  const configs = await mkdtemp(join(folder, 'config-'))
  return {
    write: async (file: string, config: object) => {
      await writeFile(join(configs, file), JSON.stringify(config))
      return join(configs, file)
    },
    [Symbol.asyncDispose]: () => rm(configs, {recursive: true}),
  }
}

/**
 * Ends the pod's containers and its sandbox; they stay in the runtime's lists.
 * @param patience how long the runtime may take for a container: '2s'.
 */
export async function stopInRuntime({crictl}: Containerd, {sandbox, container}: Started, patience: string): Promise<ContainerEnd> {
  await crictl('--timeout', patience, 'stop', '--timeout', '0', container.id)
  await crictl('stopp', sandbox)
  const {status} = JSON.parse(await crictl('inspect', '-o', 'json', container.id))
  return {exitCode: status.exitCode, reason: status.reason, finishedAt: status.finishedAt}
}

/** What the kubelet's garbage collection does later, to all containers of the sandbox. */
export async function removeFromRuntime({crictl}: Containerd, {sandbox}: Pick<Started, 'sandbox'>): Promise<void> {
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
