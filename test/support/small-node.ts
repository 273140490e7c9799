// A healthy node with one pod and one volume of a driver that stages; tests change it, one thing at a time.
import {create} from '@bufbuild/protobuf'
import type {DriverSocket} from '../../src/node/csi/sockets.ts'
import type {DiskEntry} from '../../src/node/disk.ts'
import type {ContainerProcess} from '../../src/node/kernel/facts.ts'
import type {KubeletLogLine} from '../../src/node/kubelet-log.ts'
import {stagingDir} from '../../src/node/layout.ts'
import type {Mount} from '../../src/node/mountinfo.ts'
import type {NodeStatus} from '../../src/node/node-status.ts'
import type {Pod} from '../../src/node/pod.ts'
import type {PodEvent} from '../../src/node/pod-event.ts'
import {absent} from '../../src/node/reading.ts'
import type {RuntimeAnswers} from '../../src/node/runtime/answers.ts'
import type {ContainerLook} from '../../src/node/runtime/container-look.ts'
import type {Snapshot, SourceName} from '../../src/node/snapshot.ts'
import type {VolDataFile} from '../../src/node/vol-data.ts'
import {
  type Container,
  ContainerSchema,
  ContainerState,
  type PodSandbox,
  PodSandboxSchema,
  PodSandboxState,
} from '../../src/wire/gen/cri_pb.ts'
import {lookAt} from './runtime-looks.ts'
import {at, entriesOf, mountAt, snapshotOf} from './snapshot-builder.ts'

export const root = '/var/lib/kubelet'
export const driver = 'd.example'
export const web = '11111111-1111-4111-8111-111111111111'
export const gone = '99999999-9999-4999-8999-999999999999'
const hour = 3600
export const webVolume = volumeDir(web, 'pv1')
export const webStaging = stagingDir(driver, 'h1')

export interface SmallNode {
  name: string
  root: string
  rootReal: string | undefined
  pods: Pod[]
  apiPods: Pod[] | undefined
  events: PodEvent[] | undefined
  sandboxes: PodSandbox[]
  containers: Container[]
  /** Below the root; a trailing slash makes a directory. */
  files: string[]
  volData: Record<string, VolDataFile['data']>
  /** Seconds since the start of the test at which a path was changed; null where nobody knows. Others: an hour before it. */
  modified: Record<string, number | null>
  /** Whether nobody knows any date, any device. */
  dated: boolean
  devices: boolean
  /** What is said of some entries. */
  entries: Record<string, Partial<DiskEntry>>
  mounts: Mount[]
  drivers: DriverSocket[] | undefined
  node: NodeStatus | undefined
  log: KubeletLogLine[] | undefined
  /** By container id: what its ContainerStatus says in place of what is usual. */
  looks: Record<string, Partial<ContainerLook>>
  answers: RuntimeAnswers | undefined
  processes: ContainerProcess[] | undefined
  process: Snapshot['kubeletProcess'] | undefined
  without: SourceName[]
}

export function smallNode(change: (node: SmallNode) => void = () => {}): Snapshot {
  const node = healthy()
  change(node)
  const sources = {
    'kubelet.pods': node.pods,
    'runtime.sandboxes': node.sandboxes,
    'runtime.containers': node.containers,
    'runtime.container-status': node.containers.map((each) => lookAt(each, node.looks[each.id])),
    'kernel.mounts': node.mounts,
    'disk.entries': entriesOf([...node.files, ...Object.keys(node.volData)]).map((entry) => said(node, entry)),
    ...(node.apiPods && {'api.pods': node.apiPods}),
    ...(node.events && {'api.events': node.events}),
    ...(node.drivers && {'csi.drivers': node.drivers}),
    ...(node.node && {'api.node': node.node}),
    ...(node.log && {'kubelet.log': node.log}),
    ...(node.answers && {'runtime.answers': node.answers}),
    ...(node.processes && {processes: node.processes}),
  }
  const snapshot = snapshotOf({files: [], volData: node.volData, sources})
  const readings = {...snapshot.readings, ...Object.fromEntries(node.without.map((name) => [name, absent('taken away')]))}
  const real = node.rootReal === undefined ? {} : {kubeletRootReal: node.rootReal}
  return {...snapshot, ...real, ...(node.process && {kubeletProcess: node.process}), node: node.name, kubeletRoot: node.root, readings}
}

/** One change after the other. */
export function together(...changes: readonly ((node: SmallNode) => unknown)[]): (node: SmallNode) => void {
  return (node) => {
    for (const change of changes) change(node)
  }
}

function healthy(): SmallNode {
  return {
    name: 'n1',
    root,
    rootReal: undefined,
    pods: [runningPod('web-0', web, ['data'])],
    apiPods: undefined,
    events: undefined,
    sandboxes: [readySandbox('web-0', web)],
    containers: [runningContainer('app', web)],
    files: [
      `${webVolume}/mount/`,
      `${webStaging}/globalmount/`,
      `pods/${web}/volumes/kubernetes.io~projected/token/`,
      `pods/${web}/etc-hosts`,
    ],
    volData: {
      [`${webVolume}/vol_data.json`]: podRecord('pv1', 'h1'),
      [`${webStaging}/vol_data.json`]: {driverName: driver, volumeHandle: 'h1'},
    },
    modified: {},
    dated: true,
    devices: true,
    entries: {},
    mounts: [
      {...mountAt('/'), id: 1, parent: 0},
      mounted(`pods/${web}/volumes/kubernetes.io~projected/token`, {id: 50, device: '0:50', fsType: 'tmpfs', source: 'tmpfs'}),
      mounted(`${webStaging}/globalmount`, {id: 51, device: '8:16'}),
      mounted(`${webVolume}/mount`, {id: 52, device: '8:16'}),
    ],
    drivers: undefined,
    node: undefined,
    log: undefined,
    looks: {},
    answers: undefined,
    processes: undefined,
    process: undefined,
    without: [],
  }
}

function said(node: SmallNode, entry: DiskEntry): DiskEntry {
  const seconds = Object.hasOwn(node.modified, entry.path) ? node.modified[entry.path] : -hour
  const date = node.dated && typeof seconds === 'number' ? {modifiedAt: at(seconds)} : {}
  const device = node.devices ? {device: deviceOf(`${node.rootReal ?? node.root}/${entry.path}`, node.mounts)} : {}
  return {...entry, ...date, ...device, ...node.entries[entry.path]}
}

function deviceOf(path: string, mounts: readonly Mount[]): string {
  const on = mounts.filter(({mountPoint}) => mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`))
  return on.toSorted((a, b) => a.mountPoint.length - b.mountPoint.length).at(-1)?.device ?? '254:0'
}

export function volumeDir(uid: string, specName: string): string {
  return `pods/${uid}/volumes/kubernetes.io~csi/${specName}`
}

export function podRecord(specName: string, handle: string, volumeLifecycleMode = 'Persistent') {
  return {specVolID: specName, driverName: driver, volumeHandle: handle, nodeName: 'n1', volumeLifecycleMode}
}

export function mounted(path: string, more: Partial<Mount> = {}): Mount {
  return {...mountAt(`${root}/${path}`), parent: 1, device: '8:16', source: '/dev/sdb', ...more}
}

export function runningPod(name: string, uid: string, claims: readonly string[], more: Partial<Pod> = {}): Pod {
  return {
    name,
    namespace: 'default',
    uid,
    createdAt: at(-hour),
    finalizers: [],
    phase: 'Running',
    volumes: claims.map((claim) => ({name: claim, kind: 'persistentVolumeClaim', claim})),
    containers: [{name: 'app', kind: 'regular', state: 'running', startedAt: at(-hour)}],
    ...more,
  }
}

export function readySandbox(name: string, uid: string, state: PodSandboxState = PodSandboxState.SANDBOX_READY): PodSandbox {
  const labels = {'io.kubernetes.pod.uid': uid}
  const createdAt = BigInt(at(-hour)) * 1_000_000n
  return create(PodSandboxSchema, {id: `id-${uid}`, metadata: {name, namespace: 'default', uid, attempt: 0}, labels, state, createdAt})
}

export function runningContainer(name: string, uid: string, seconds = -hour): Container {
  return create(ContainerSchema, {
    id: `id-${name}-${uid}`,
    metadata: {name, attempt: 0},
    state: ContainerState.CONTAINER_RUNNING,
    createdAt: BigInt(at(seconds)) * 1_000_000n,
    labels: {'io.kubernetes.pod.uid': uid},
  })
}
