// The behaviour model of the kubelet on a real machine: a real runtime, real drivers, a real disk and a clock that goes by itself. Pods come from whoever has the
// API's port. Upstream: cmd/kubelet/app/server.go
import {mkdir, realpath} from 'node:fs/promises'
import {join} from 'node:path'
import type {Dice} from '../../base/dice.ts'
import type {ScaledClock} from '../../base/scaled-clock.ts'
import type {Disk} from '../../kubelet/disk.ts'
import {type Kubelet, startKubelet} from '../../kubelet/kubelet.ts'
import type {ApiPort, CriPort, CsiPort, KubeletConfig, KubeletPorts} from '../../kubelet/ports.ts'
import type {Profile} from '../../kubelet/profiles.ts'
import {parseSocketAddress} from '../../wire/socket-address.ts'
import {pathMap} from '../disk/path-map.ts'
import {realDisk} from '../disk/real-disk.ts'
import {csiMetrics} from '../kubelet-server/csi-metrics.ts'
import {knowingPods} from '../remote/known-pods.ts'
import {startPluginWatcher} from '../remote/plugin-watcher.ts'
import {podFiles} from '../remote/pod-files.ts'
import {podLogs} from '../remote/pod-logs.ts'
import {openRemoteCri} from '../remote/remote-cri.ts'

export interface MiniatureKubeletOptions {
  readonly profile: Profile
  readonly config?: KubeletConfig
  /** The kubelet's time; the machine's is the real clock behind it. */
  readonly clock: ScaledClock
  readonly dice: Dice
  readonly nodeName: string
  readonly api: ApiPort
  /** 'unix:///run/containerd/containerd.sock' */
  readonly criEndpoint: string
  /** What the kubelet calls /var/lib/kubelet, absolute; made when it is not there. */
  readonly root: string
  /** Default: that root on this machine, with mounts and loop devices, by the rights of root. */
  readonly disk?: Disk
  /** Default: `pod-logs` in the root. Upstream: /var/log/pods */
  readonly podLogsDir?: string
  /** Default: none, which leaves it to the runtime. */
  readonly cgroupParent?: string
  /** What is between it and the runtime and its drivers: faults. Default: nothing. */
  readonly through?: {
    readonly cri?: (port: CriPort) => CriPort
    readonly csi?: (port: CsiPort, driver: string) => CsiPort
  }
  readonly log: KubeletPorts['log']
  readonly believe?: KubeletPorts['believe']
  /** Its process ends: what it knew is gone, calls in flight are cut. What runs goes on running. */
  readonly signal: AbortSignal
}

export interface MiniatureKubelet extends Kubelet {
  /** As the runtime calls itself: 'containerd'. */
  readonly runtimeName: string
  /** As the kubelet has it. */
  readonly cri: CriPort
  /** Of its calls of drivers, in the text format of Prometheus. */
  readonly csiMetrics: () => string
}

/** @throws CallFailure when no runtime answers, UserError when its endpoint is none */
export async function startMiniatureKubelet(options: MiniatureKubeletOptions): Promise<MiniatureKubelet> {
  const {profile, config = {}, clock, dice, nodeName, criEndpoint, log, believe = () => {}, through = {}, signal} = options
  await mkdir(options.root, {recursive: true})
  // The kernel's tables have resolved paths, and so do the drivers'.
  const root = await realpath(options.root)
  const {path} = parseSocketAddress(criEndpoint, 'the endpoint of the runtime')
  const {toReal} = pathMap(root)
  const disk = options.disk ?? realDisk({root})
  const logs = podLogs(options.podLogsDir ?? join(root, 'pod-logs'))
  const pods = knowingPods(options.api)
  const files = podFiles(root, dice.of('termination logs'))
  const {cgroupParent = ''} = options
  const runtime = await openRemoteCri({path, clock, logs, cgroupParent, realPath: toReal, knownPods: pods.known, files, signal})
  signal.addEventListener('abort', () => runtime[Symbol.dispose](), {once: true})
  const {runtimeName} = runtime
  const cri = through.cri?.(runtime.port) ?? runtime.port
  const plugins = startPluginWatcher({registry: join(root, 'plugins_registry'), clock, realPath: toReal, podNames: pods.known, log, signal})
  const metrics = csiMetrics(clock)
  const csi = (driver: string): CsiPort | undefined => {
    const port = plugins.csi(driver)
    return port === undefined ? undefined : metrics.observed(driver, through.csi?.(port, driver) ?? port)
  }
  const ports: KubeletPorts = {clock, dice, api: pods.api, cri, csi, disk, log, believe}
  return {...startKubelet({profile, config, nodeName, runtimeName, ports, signal}), runtimeName, cri, csiMetrics: metrics.text}
}
