// A stand-in for kubelet 1.26.5: it does to the disk, the mounts, the runtime and the drivers what a kubelet does, and tells of it as a
// kubelet does, but decides nothing. Order: kubelet-behaviour of 1.26 (volumes before containers, containers' end before volumes').

import {existsSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Containerd} from './containerd.ts'
import {getPluginInfo, notifyRegistered} from './csi-calls.ts'
import {kubeletCsi} from './stand-in-kubelet-csi.ts'
import {type DeleteOptions, type DeleteStep, stepsOut} from './stand-in-kubelet-delete.ts'
import type {KubeletParts} from './stand-in-kubelet-filesystem.ts'
import {apiServer, kubeconfigFor, list, type Respond, serve} from './stand-in-kubelet-http.ts'
import {type KubeletLog, kubeletLog} from './stand-in-kubelet-log.ts'
import {type KubeletMetrics, kubeletMetrics} from './stand-in-kubelet-metrics.ts'
import {kubeletGauges, nodeObject} from './stand-in-kubelet-node.ts'
import {type PodObject, type PodSpec, planted, podObject, volumeOf} from './stand-in-kubelet-pods.ts'
import {createRoot} from './stand-in-kubelet-root.ts'
import {runningPods, startContainer} from './stand-in-kubelet-runtime.ts'
import {podStatus} from './stand-in-kubelet-status.ts'
import {createPodDirs, type RunningPod, startPod} from './stand-in-kubelet-sync.ts'
import {nodeName} from './stand-in-kubelet-volume.ts'
import {timestamp} from './timestamp.ts'

export interface StandInKubelet extends AsyncDisposable {
  readonly root: string
  readonly url: string
  readonly log: string
  readonly kubeconfig: string
  /** As the plugin watcher does when a socket appears in plugins_registry. */
  register(registrationSocket: string): Promise<void>
  runPod(spec: PodSpec): Promise<RunningPod>
  /** Takes the pod's container for gone, and starts the next one beside it. */
  startAgain(uid: string): Promise<RunningPod>
  /** What fails leaves the pod Terminating, and the next call goes on from there. */
  deletePod(uid: string, options?: DeleteOptions): Promise<void>
  /** As its controller does. */
  liftFinalizers(uid: string): void
}

/** @param upMs how long ago its log says that it started. */
export async function startStandInKubelet(rig: Containerd, root: string, upMs = 0): Promise<StandInKubelet> {
  await using started = new AsyncDisposableStack()
  started.use(await createRoot(root))
  const log = kubeletLog(join(rig.folder, 'kubelet.log'))
  const metrics = kubeletMetrics()
  const parts: KubeletParts = {root, log, csi: kubeletCsi(log, metrics)}
  const pods = new Map<string, RunningPod>()
  const objects = new Map<string, PodObject>()
  const events: unknown[] = []
  log.info('volume_manager.go:293', '"Starting Kubelet Volume Manager"', new Date(Date.now() - upMs))
  started.defer(keepHouse(log))
  log.info('round_trippers.go:463', `Authorization: Bearer ${planted.log}`)
  const volumes = () => [...pods.values()].flatMap(({volume}) => volume ?? [])
  const kubelet = started.use(await serve(kubeletEndpoints(rig, objects, metrics, () => kubeletGauges([...pods.values()]))))
  const apiObjects = {pods: () => [...objects.values()], events: () => events, node: () => nodeObject(volumes())}
  const api = started.use(await serve(apiServer(apiObjects)))
  const kubeconfig = join(rig.folder, 'kubeconfig')
  await writeFile(kubeconfig, kubeconfigFor(api.url))
  const show = (object: PodObject, pod: RunningPod, restarts: number) => {
    const status = podStatus(object.status.startTime, {seen: pod.started.container, restarts})
    objects.set(pod.uid, {...object, status})
    pods.set(pod.uid, pod)
  }
  const leaving = new Map<string, DeleteStep[]>()
  const deletePod = async (uid: string, options: DeleteOptions = {}) => {
    const pod = pods.get(uid)
    if (pod === undefined) throw new Error(`there is no pod ${uid}`)
    const steps = leaving.get(uid) ?? stepsOut({parts, rig, pod, pods, objects})
    leaving.set(uid, steps)
    for (const step of [...steps]) {
      await step(options)
      steps.shift()
    }
    pods.delete(uid)
    leaving.delete(uid)
  }
  started.defer(async () => {
    for (const uid of pods.keys()) await deletePod(uid)
  })
  const held = started.move()
  return {
    root,
    url: kubelet.url,
    log: log.path,
    kubeconfig,
    register: (socket) => register(parts, socket),
    runPod: async (spec) => {
      const object = podObject(spec)
      const {uid, namespace, name} = object.metadata
      objects.set(uid, object)
      log.info('kubelet.go:2219', `"SyncLoop ADD" source="api" pods="[${namespace}/${name}]"`)
      await createPodDirs(root, uid)
      const pod = await startPod(parts, rig, object, volumeOf(spec, object))
      show(object, pod, 0)
      events.push(startedEvent(object))
      return pod
    },
    startAgain: async (uid) => {
      const pod = pods.get(uid)
      const object = objects.get(uid)
      if (pod === undefined || object === undefined) throw new Error(`there is no pod ${uid}`)
      const attempt = (object.status.containerStatuses[0]?.restartCount ?? 0) + 1
      const container = await startContainer(rig, object, pod.started.sandbox, {attempt, ...pod.paths})
      const again = {...pod, started: {...pod.started, container}}
      show(object, again, attempt)
      return again
    },
    deletePod,
    liftFinalizers: (uid) => {
      const object = objects.get(uid)
      if (object === undefined) throw new Error(`there is no pod ${uid}`)
      objects.set(uid, {...object, metadata: {...object.metadata, finalizers: []}})
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** Every two seconds, until it is told to end or its folder goes, as that of a run that was killed does. */
function keepHouse(log: KubeletLog): () => void {
  const timer = setInterval(() => {
    if (existsSync(log.path)) log.info('kubelet.go:2301', '"SyncLoop (housekeeping)"')
    else clearInterval(timer)
  }, 2000)
  return () => clearInterval(timer)
}

async function register({log, csi}: KubeletParts, socket: string): Promise<void> {
  const {name, endpoint} = await getPluginInfo(socket)
  const trying = 'kubernetes.io/csi: Trying to validate a new CSI Driver with name'
  log.info('csi_plugin.go:99', `${trying}: ${name} endpoint: ${endpoint} versions: 1.0.0`)
  log.info('csi_plugin.go:112', `kubernetes.io/csi: Register new plugin with name: ${name} at endpoint: ${endpoint}`)
  csi.drivers.set(name, endpoint)
  await csi.getInfo(name)
  await notifyRegistered(socket)
}

function kubeletEndpoints(
  rig: Containerd,
  objects: ReadonlyMap<string, PodObject>,
  metrics: KubeletMetrics,
  gauges: () => Parameters<KubeletMetrics['text']>[0],
): Respond {
  return async ({pathname}) => {
    switch (pathname.replace(/\/$/, '')) {
      case '/pods':
        return list('PodList', [...objects.values()])
      case '/runningpods':
        return list('PodList', await runningPods(rig))
      case '/healthz':
        return {type: 'text/plain; charset=utf-8', body: 'ok'}
      case '/metrics':
        return {type: 'text/plain; version=0.0.4; charset=utf-8', body: metrics.text(gauges())}
      default:
        return undefined
    }
  }
}

function startedEvent({metadata}: PodObject) {
  const {name, namespace, uid} = metadata
  const now = timestamp()
  return {
    metadata: {name: `${name}.started`, namespace, creationTimestamp: now},
    involvedObject: {apiVersion: 'v1', kind: 'Pod', name, namespace, uid, fieldPath: 'spec.containers{app}'},
    reason: 'Started',
    message: 'Started container app',
    source: {component: 'kubelet', host: nodeName},
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    type: 'Normal',
  }
}
