// Collects what each source of a made-up node says, as the text of a bundle's file.
import type {SourceName} from '../../src/node/snapshot.ts'
import {answering} from './runtime-looks.ts'

export interface TextPod {
  readonly name: string
  readonly namespace: string
  readonly uid: string
}

interface Setting {
  readonly root: string
  readonly when: number
  readonly random: () => number
}

type PodState = 'running' | 'waiting'

export class NodeText {
  readonly root: string
  readonly #setting: Setting
  readonly #entries = new Map<string, string>()
  readonly #lines: Partial<Record<SourceName, string[]>> = {}
  readonly #pods: {pod: TextPod; state: PodState; volumes: object[]}[] = []
  #mountId = 100
  #device = 0

  constructor(setting: Setting) {
    this.root = setting.root
    this.#setting = setting
    this.mount('', {device: '254:0', fsType: 'ext4', source: '/dev/vda'})
    this.line('kernel.devices', {device: '254:0', name: 'vda'})
    this.line('kernel.boot', {id: this.uid(), at: setting.when - 86_400_000})
  }

  uid(): string {
    const hex = () =>
      Math.floor(this.#setting.random() * 0x10000)
        .toString(16)
        .padStart(4, '0')
    return `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-8${hex().slice(1)}-${hex()}${hex()}${hex()}`
  }

  /** A block device that is there, unless `gone`. */
  device(gone = false): {device: string; name: string} {
    this.#device++
    const made = {device: `8:${this.#device * 16}`, name: `sd${this.#device}`}
    if (!gone) this.line('kernel.devices', made)
    return made
  }

  driver(name: string): void {
    const own = `plugins/${name}/csi.sock`
    const registration = `plugins_registry/${name}-reg.sock`
    this.entry(own, 'socket')
    this.entry(registration, 'socket')
    const answer = {state: 'answers'}
    const endpoint = `${this.root}/${own}`
    this.line('csi.registrations', {socket: `${this.root}/${registration}`, answer, type: 'CSIPlugin', name, endpoint, versions: ['1.0.0']})
    this.line('csi.drivers', {socket: endpoint, answer, name, version: '1.0.0', ready: true, capabilities: ['STAGE_UNSTAGE_VOLUME']})
  }

  pod(name: string, namespace: string, state: PodState = 'running'): TextPod {
    const pod = {name, namespace, uid: this.uid()}
    this.#pods.push({pod, state, volumes: []})
    this.#byUid.set(pod.uid, this.#pods.length - 1)
    this.entry(`pods/${pod.uid}`, 'directory')
    return pod
  }

  readonly #byUid = new Map<string, number>()

  /** A volume in the pod's spec. */
  claim(pod: TextPod, volume: object): void {
    this.#pods[this.#byUid.get(pod.uid) ?? -1]?.volumes.push(volume)
  }

  /** Parents are made. */
  entry(path: string, type: 'directory' | 'file' | 'socket' | 'block' | 'link', more: object = {}): void {
    const cut = path.lastIndexOf('/')
    if (path !== '' && !this.#entries.has(path.slice(0, Math.max(0, cut)))) this.entry(path.slice(0, Math.max(0, cut)), 'directory')
    const modifiedAt = new Date(this.#setting.when - 3_600_000).toISOString()
    this.#entries.set(path, JSON.stringify({path, type, mode: '750', size: 4096, modifiedAt, device: '254:0', ...more}))
  }

  volData(path: string, data: Readonly<Record<string, string>>): void {
    this.entry(path, 'file')
    this.line('disk.vol-data', {path, content: `${JSON.stringify(data)}\n`})
  }

  mount(
    path: string,
    of: {device: string; fsType: string; source: string; root?: string},
    look: object = {state: 'ok', device: of.device},
  ): void {
    const mountPoint = path === '' ? this.root : `${this.root}/${path}`
    const {device, fsType, source, root = '/'} = of
    this.mountLine(`${device} ${root} ${mountPoint} rw,relatime shared:${this.#mountId} - ${fsType} ${source} rw`)
    this.line('disk.mounts', {mountPoint, outcome: look})
  }

  foreignMount(mountPoint: string): void {
    this.mountLine(`0:${this.#mountId} / ${mountPoint} rw,relatime shared:1 - overlay overlay rw,lowerdir=/a:/b,upperdir=/c,workdir=/d`)
  }

  private mountLine(rest: string): void {
    this.text('kernel.mounts', `${this.#mountId++} 42 ${rest}`)
  }

  /** @param ago seconds before the moment of the capture */
  log(ago: number, source: string, message: string): void {
    const at = new Date(this.#setting.when - ago * 1000).toISOString()
    this.text('kubelet.log', `I${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 19)}.000000    2082 ${source}] ${message}`)
  }

  line(source: SourceName, value: object): void {
    this.text(source, JSON.stringify(value))
  }

  private text(source: SourceName, line: string): void {
    const lines = this.#lines[source] ?? []
    this.#lines[source] = lines
    lines.push(line)
  }

  files(): Partial<Record<SourceName, string>> {
    const lists = Object.fromEntries(Object.entries(this.#lines).map(([source, lines]) => [source, `${lines.join('\n')}\n`]))
    const createdAt = `${BigInt(this.#setting.when - 3_600_000) * 1_000_000n}`
    const metadata = ({name, namespace, uid}: TextPod) => ({
      metadata: {name, namespace, uid, attempt: 0},
      labels: {'io.kubernetes.pod.uid': uid, 'io.kubernetes.pod.name': name, 'io.kubernetes.pod.namespace': namespace},
      createdAt,
    })
    const running = this.#pods.filter(({state}) => state === 'running')
    return {
      takeovers: '',
      ...lists,
      'disk.entries': `${[...this.#entries.values()].join('\n')}\n`,
      'kubelet.pods': JSON.stringify({kind: 'PodList', apiVersion: 'v1', items: this.#pods.map((each) => this.podItem(each))}),
      'runtime.sandboxes': JSON.stringify({items: running.map(({pod}) => ({id: `s${pod.uid}`, state: 'SANDBOX_READY', ...metadata(pod)}))}),
      'runtime.containers': JSON.stringify({
        containers: running.map(({pod}) => ({
          ...metadata(pod),
          id: `c${pod.uid}`,
          podSandboxId: `s${pod.uid}`,
          metadata: {name: 'app', attempt: 0},
          state: 'CONTAINER_RUNNING',
        })),
      }),
      'runtime.container-status': running.map(({pod}) => this.lookLine(pod)).join('\n'),
      'runtime.answers': JSON.stringify(answering()),
      'kubelet.healthz': JSON.stringify({ok: true, text: 'ok'}),
    }
  }

  private lookLine({uid}: TextPod): string {
    const id = `c${uid}`
    const startedAt = this.#setting.when - 3_600_000
    const said = new Date(startedAt).toISOString()
    const status = {id, state: 'CONTAINER_RUNNING', createdAt: said, startedAt: said, exitCode: 0}
    const info = {pid: 1000 + (this.#byUid.get(uid) ?? 0), runtimeType: 'io.containerd.runc.v2'}
    return JSON.stringify({
      id,
      outcome: {state: 'answered', tookMs: 2},
      status,
      info,
      process: {state: 'there', startedAt, containerId: id},
    })
  }

  private podItem({pod, state, volumes}: {pod: TextPod; state: PodState; volumes: object[]}): object {
    const startedAt = new Date(this.#setting.when - 3_600_000).toISOString()
    const status =
      state === 'running'
        ? {phase: 'Running', containerStatuses: [{name: 'app', containerID: `containerd://c${pod.uid}`, state: {running: {startedAt}}}]}
        : {phase: 'Pending', containerStatuses: [{name: 'app', state: {waiting: {reason: 'ContainerCreating'}}}]}
    const annotations = {'kubernetes.io/config.source': 'api'}
    return {metadata: {...pod, creationTimestamp: startedAt, annotations}, spec: {volumes, restartPolicy: 'Always'}, status}
  }
}
