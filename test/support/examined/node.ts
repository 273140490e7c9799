// A node as texts: what its files and its kernel would say. Tests change it, one thing at a time; the project's own readers read it.
import {create} from '@bufbuild/protobuf'
import type {DriverSocket, Registration} from '../../../src/node/csi/sockets.ts'
import type {DiskEntry} from '../../../src/node/disk.ts'
import type {Healthz} from '../../../src/node/healthz.ts'
import type {BlockDevice, ContainerProcess, MountLook} from '../../../src/node/kernel/facts.ts'
import {parseKubeletLog} from '../../../src/node/kubelet-log.ts'
import {parseMountinfo} from '../../../src/node/mountinfo.ts'
import type {Pod} from '../../../src/node/pod.ts'
import {absent, type Reading, read} from '../../../src/node/reading.ts'
import type {RuntimeAnswers} from '../../../src/node/runtime/answers.ts'
import type {ContainerLook, SeenStatus} from '../../../src/node/runtime/container-look.ts'
import type {Readings, Snapshot, SourceName, Sources} from '../../../src/node/snapshot.ts'
import {readVolData} from '../../../src/node/vol-data.ts'
import {
  type Container,
  ContainerSchema,
  ContainerState,
  type PodSandbox,
  PodSandboxSchema,
  PodSandboxState,
} from '../../../src/wire/gen/cri_pb.ts'
import {answering, lookAt} from '../runtime-looks.ts'

export const root = '/var/lib/kubelet'
/** The moment of the check. */
const now = Date.parse('2026-11-30T12:00:00Z')
export const minute = 60
export const hour = 3600
export const day = 24 * hour
/** Milliseconds since 1970, so many seconds before the check. */
export const ago = (seconds: number) => now - seconds * 1000

export interface Entry {
  readonly type: DiskEntry['type']
  /** Seconds before the check at which it was changed; null where nobody knows. */
  readonly age: number | null
  readonly more: Partial<DiskEntry>
}

export class ExaminedNode {
  real: string | undefined
  version = '1.36.2'
  entries = new Map<string, Entry>()
  volData = new Map<string, string>()
  /** Lines of mountinfo. */
  mounts: string[] = []
  /** Lines of the kubelet's log. */
  log: string[] = []
  pods: Pod[] = []
  apiPods: Pod[] = []
  sandboxes: PodSandbox[] = []
  containers: Container[] = []
  /** By container id: what is said of it in place of what is usual. */
  containerLooks = new Map<string, Partial<ContainerLook>>()
  /** The same of its status alone. */
  containerStatuses = new Map<string, Partial<SeenStatus>>()
  answers: RuntimeAnswers = answering()
  kubeletProcess: Snapshot['kubeletProcess'] | undefined = {
    pid: 812,
    program: 'kubelet',
    startedAt: ago(day),
    sameNetwork: true,
    certain: true,
  }
  healthz: Healthz = {ok: true, text: 'ok'}
  registrations: Registration[] = []
  drivers: DriverSocket[] = []
  devices: BlockDevice[] = []
  looks = new Map<string, MountLook['outcome']>()
  /** Besides those of the containers that run. */
  processes: ContainerProcess[] = []
  inUse: string[] = []
  bootedAgo = day
  /** In place of what the node says. */
  readings: Partial<{[Name in SourceName]: Reading<Sources[Name]>}> = {}
  private ids = 100

  /** A directory with its parents; a parent that is there keeps its age. */
  dir(path: string, age: number | null = day, more: Partial<DiskEntry> = {}): void {
    this.put(path, 'directory', age, more)
  }

  put(path: string, type: DiskEntry['type'], age: number | null = day, more: Partial<DiskEntry> = {}): void {
    const parts = path.split('/')
    for (let length = 0; length < parts.length; length++) {
      const parent = parts.slice(0, length).join('/')
      if (!this.entries.has(parent)) this.entries.set(parent, {type: 'directory', age, more: {}})
    }
    this.entries.set(path, {type, age, more})
  }

  record(path: string, content: string | Readonly<Record<string, string>>, age: number | null = day): void {
    const text = typeof content === 'string' ? content : `${JSON.stringify(content)}\n`
    this.put(path, 'file', age, {size: Buffer.byteLength(text)})
    this.volData.set(path, text)
  }

  /** A path and all below it. */
  remove(path: string): void {
    for (const map of [this.entries, this.volData])
      for (const each of [...map.keys()]) if (each === path || each.startsWith(`${path}/`)) map.delete(each)
  }

  /** A mount below the root, or at an absolute path. Gives the line's id. */
  mount(path: string, given: MountGiven = {}): number {
    const {id = ++this.ids, parent = 1, device = '8:16', sub = '/', fsType = 'ext4', source = '/dev/sdb', superOptions = 'rw'} = given
    const mountPoint = path.startsWith('/') ? path : `${root}/${path}`
    this.mounts.push(
      `${id} ${parent} ${device} ${octal(sub)} ${octal(mountPoint)} rw,relatime shared:${id} - ${fsType} ${source} ${superOptions}`,
    )
    return id
  }

  unmount(path: string): void {
    this.mounts = this.mounts.filter((line) => line.split(' ')[4] !== octal(`${root}/${path}`))
  }

  pod(name: string, uid: string, claims: readonly string[], more: Partial<Pod> = {}): Pod {
    const volumes = claims.map((claim) => ({name: claim, kind: 'persistentVolumeClaim', claim}))
    const pod: Pod = {
      ...{name, namespace: 'shop', uid, createdAt: ago(day), finalizers: [], configSource: 'api', nodeName: 'n1', phase: 'Running'},
      ...{volumes, containers: [{name: 'app', kind: 'regular', state: 'running', startedAt: ago(day), containerId: `c-${uid}`}]},
      ...more,
    }
    this.pods.push(pod)
    this.apiPods.push(pod)
    return pod
  }

  /** Its sandbox and its container in the runtime. */
  runs(name: string, uid: string, {started = day, ready = true, state = ContainerState.CONTAINER_RUNNING as ContainerState} = {}): void {
    const labels = {'io.kubernetes.pod.uid': uid, 'io.kubernetes.pod.name': name, 'io.kubernetes.pod.namespace': 'shop'}
    const createdAt = BigInt(ago(started)) * 1_000_000n
    const sandboxState = ready ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY
    const metadata = {name, namespace: 'shop', uid, attempt: 0}
    this.sandboxes.push(create(PodSandboxSchema, {id: `s-${uid}`, metadata, labels, createdAt, state: sandboxState}))
    const app = {...labels, 'io.kubernetes.container.name': 'app'}
    this.containers.push(
      create(ContainerSchema, {id: `c-${uid}`, podSandboxId: `s-${uid}`, metadata: {name: 'app'}, labels: app, createdAt, state}),
    )
  }

  /** Nobody knows the pod any more. Its directories stay. */
  forget(uid: string): void {
    this.pods = this.pods.filter((pod) => pod.uid !== uid)
    this.apiPods = this.apiPods.filter((pod) => pod.uid !== uid)
    this.stop(uid)
  }

  /** The runtime has nothing of it. */
  stop(uid: string): void {
    this.sandboxes = this.sandboxes.filter(({metadata}) => metadata?.uid !== uid)
    this.containers = this.containers.filter(({labels}) => labels['io.kubernetes.pod.uid'] !== uid)
  }

  changePod(uid: string, change: Partial<Pod>): void {
    const changed = (pod: Pod) => (pod.uid === uid ? {...pod, ...change} : pod)
    this.pods = this.pods.map(changed)
    this.apiPods = this.apiPods.map(changed)
  }

  says(secondsAgo: number, letter: 'I' | 'W' | 'E', text: string): void {
    this.log.push(klog(ago(secondsAgo), letter, text))
  }

  snapshot(): Snapshot {
    const mounts = parseMountinfo(this.mounts.join('\n'))
    const looks = this.containers.map((each) => lookAt(each, this.containerLooks.get(each.id), this.containerStatuses.get(each.id)))
    const sources: {[Name in SourceName]: Sources[Name]} = {
      'runtime.sandboxes': this.sandboxes,
      'runtime.containers': this.containers,
      'runtime.container-status': looks,
      'runtime.answers': this.answers,
      'kubelet.pods': this.pods,
      'kubelet.runningpods': this.pods,
      'kubelet.healthz': this.healthz,
      'kubelet.metrics': [],
      'kubelet.log': parseKubeletLog([...this.log].sort((a, b) => (a.slice(1, 21) < b.slice(1, 21) ? -1 : 1)).join('\n'), {near: now}),
      'disk.entries': [...this.entries].map(([path, entry]) => this.entry(path, entry, mounts)),
      'disk.vol-data': [...this.volData].map(([path, text]) => ({path, data: readVolData(new TextEncoder().encode(text))})),
      'disk.mounts': mounts
        .filter(({mountPoint}) => mountPoint.startsWith(this.real ?? root))
        .map(({mountPoint, device}) => ({mountPoint, outcome: this.looks.get(mountPoint) ?? {state: 'ok', device}})),
      'csi.registrations': this.registrations,
      'csi.drivers': this.drivers,
      'kernel.mounts': mounts,
      'kernel.devices': this.devices,
      'kernel.boot': {id: 'b', at: ago(this.bootedAgo)},
      processes: [...looks.flatMap((look) => this.processOf(look)), ...this.sandboxes.flatMap(pauseOf), ...this.processes],
      takeovers: [],
      'api.pods': this.apiPods,
      'api.events': [],
      'api.node': {name: 'n1', volumesInUse: this.inUse, volumesAttached: this.inUse, kubeletVersion: `v${this.version}`},
    }
    const readings = Object.fromEntries(Object.entries(sources).map(([name, value]) => [name, read(value)])) as unknown as Readings
    const real = this.real === undefined ? {} : {kubeletRootReal: this.real}
    const whole = {...readings, ...this.readings} as Readings
    const process = this.kubeletProcess === undefined ? {} : {kubeletProcess: this.kubeletProcess}
    return {node: 'n1', when: now, kubeletRoot: root, ...real, kubeletVersion: this.version, ...process, readings: whole, unread: {}}
  }

  /** In the cgroup of its container. */
  private processOf({id, pid, process}: ContainerLook): ContainerProcess[] {
    const podUid = this.containers.find((each) => each.id === id)?.labels['io.kubernetes.pod.uid']
    if (pid === undefined || podUid === undefined || process?.state !== 'there' || process.containerId !== id) return []
    return [{pid, startedAt: process.startedAt, state: 'S', cgroup: scopeOf(podUid, id), podUid, containerId: id}]
  }

  private entry(path: string, {type, age, more}: Entry, mounts: readonly {mountPoint: string; device: string}[]): DiskEntry {
    const full = `${this.real ?? root}/${path}`
    const on = mounts.filter(({mountPoint}) => mountPoint === '/' || full === mountPoint || full.startsWith(`${mountPoint}/`))
    const device = on.toSorted((a, b) => a.mountPoint.length - b.mountPoint.length).at(-1)?.device ?? '254:0'
    return {path, type, mode: 0o750, size: 0, device, ...(age === null ? {} : {modifiedAt: ago(age)}), ...more}
  }
}

/** What keeps the namespaces of a sandbox: it is in a cgroup of its own beside the containers. */
function pauseOf({id, state, metadata, labels, createdAt}: PodSandbox): ContainerProcess[] {
  if (state !== PodSandboxState.SANDBOX_READY || metadata === undefined || labels['io.kubernetes.pod.uid'] === undefined) return []
  const cgroup = scopeOf(metadata.uid, id)
  return [{pid: 50_000 + id.length, startedAt: Number(createdAt / 1_000_000n), state: 'S', cgroup, podUid: metadata.uid, containerId: id}]
}

/** As systemd names it for containerd. */
export function scopeOf(uid: string, id: string): string {
  const slice = `kubepods-burstable-pod${uid.replaceAll('-', '_')}.slice`
  return `/kubepods.slice/kubepods-burstable.slice/${slice}/cri-containerd-${id}.scope`
}

interface MountGiven {
  readonly id?: number
  readonly parent?: number
  readonly device?: string
  readonly sub?: string
  readonly fsType?: string
  readonly source?: string
  readonly superOptions?: string
}

/** As the kernel writes it. */
function octal(path: string): string {
  const escaped = path.replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
  return escaped
}

function klog(at: number, letter: string, text: string): string {
  const iso = new Date(at).toISOString()
  return `${letter}${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000    2082 test.go:1] ${text}`
}

export function without(snapshot: Snapshot, ...sources: readonly SourceName[]): Snapshot {
  const taken = Object.fromEntries(sources.map((source) => [source, absent('taken away')]))
  return {...snapshot, readings: {...snapshot.readings, ...taken}}
}
