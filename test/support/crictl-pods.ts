// crictl reads these files as Go does: enums are numbers (NamespaceMode: 0 is POD, 2 is NODE).
// Sandboxes and containers made through crictl, labelled as a kubelet labels them.
import {mkdtemp, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {busyboxImage, type Containerd} from './containerd.ts'

export interface Pod {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly attempt?: number
  /** Instead of the kubelet's own. */
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  /** Default: the host's network. */
  readonly network?: 'bridge'
  readonly runtime?: string
}

export interface Sandbox {
  readonly id: string
  readonly config: string
  readonly pod: Pod
}

export interface Container {
  readonly name: string
  readonly attempt?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  /** Default: sleeps. */
  readonly command?: readonly string[]
}

export async function runPod(rig: Containerd, pod: Pod): Promise<Sandbox> {
  const config = await writePodConfig(rig, pod)
  const runtime = pod.runtime === undefined ? [] : ['--runtime', pod.runtime]
  return {id: await rig.crictl('runp', ...runtime, config), config, pod}
}

/** One that somebody else made. */
export async function sandboxOf(rig: Containerd, pod: Pod, id: string): Promise<Sandbox> {
  return {id, config: await writePodConfig(rig, pod), pod}
}

async function writePodConfig(rig: Containerd, pod: Pod): Promise<string> {
  const {name, namespace = 'default', attempt = 0, annotations = {}} = pod
  return writeConfig(rig, 'pod.json', {
    metadata: {name, namespace, attempt, uid: uidOf(pod)},
    labels: pod.labels ?? podLabels(pod),
    annotations,
    linux: {cgroup_parent: rig.cgroup, security_context: {namespace_options: {network: pod.network === 'bridge' ? 0 : 2}}},
  })
}

/** Returns the container's id; it is created and not started. */
export async function createContainer(rig: Containerd, sandbox: Sandbox, container: Container): Promise<string> {
  const {name, attempt = 0, labels = {}, annotations = {}, command = ['/bin/sleep', '100000000']} = container
  const config = await writeConfig(rig, 'container.json', {
    metadata: {name, attempt},
    image: {image: busyboxImage},
    command,
    labels: {...podLabels(sandbox.pod), 'io.kubernetes.container.name': name, ...labels},
    annotations,
  })
  return rig.crictl('create', sandbox.id, config, sandbox.config)
}

export async function startContainer(rig: Containerd, sandbox: Sandbox, container: Container): Promise<string> {
  const id = await createContainer(rig, sandbox, container)
  await rig.crictl('start', id)
  return id
}

function podLabels(pod: Pod): Record<string, string> {
  const {name, namespace = 'default'} = pod
  return {'io.kubernetes.pod.name': name, 'io.kubernetes.pod.namespace': namespace, 'io.kubernetes.pod.uid': uidOf(pod), app: name}
}

// Attempts of one pod share its uid.
function uidOf({name, namespace = 'default', uid = `uid-of-${namespace}-${name}`}: Pod): string {
  return uid
}

async function writeConfig(rig: Containerd, name: string, config: unknown): Promise<string> {
  const path = join(await mkdtemp(join(rig.folder, 'config-')), name)
  await writeFile(path, JSON.stringify(config))
  return path
}
