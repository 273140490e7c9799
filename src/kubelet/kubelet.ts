// All parts of the kubelet that have to do with a pod's status, put together. Upstream: kubelet.go

import {Channel, tick} from './channel.ts'
import {genericPleg, type PlegEvent} from './pleg/pleg.ts'
import {startPlegLoop} from './pleg/pleg-loop.ts'
import {podCache} from './pleg/pod-cache.ts'
import {type BoundClaim, containerIdOf, type Pod} from './pod.ts'
import {podConfig} from './pod-config.ts'
import {podManager} from './pod-manager.ts'
import {generateAPIPodStatus, type PodStatusSources} from './pod-status.ts'
import type {KubeletConfig, KubeletPorts, PodEvent} from './ports.ts'
import type {Profile} from './profiles.ts'
import {reasonCache} from './reason-cache.ts'
import {backOff} from './runtime/back-off.ts'
import {containerGc} from './runtime/container-gc.ts'
import {imageManager} from './runtime/image-manager.ts'
import {containerKiller} from './runtime/kill-container.ts'
import {kubeRuntime} from './runtime/kuberuntime.ts'
import {startPodContainerDeletor} from './runtime/pod-container-deletor.ts'
import {remoteRuntime} from './runtime/remote-runtime.ts'
import {runtimeCache} from './runtime/runtime-cache.ts'
import {runtimePodLister} from './runtime/runtime-pods.ts'
import {containerStarter} from './runtime/start-container.ts'
import {activeDeadline, deadlineExceeded} from './status/active-deadline.ts'
import {clientRateLimit} from './status/client-rate-limit.ts'
import {podResources} from './status/pod-resources.ts'
import {readinessResults} from './status/readiness-results.ts'
import {startStatusManager} from './status-manager.ts'
import {source, syncLoop} from './sync-loop.ts'
import type {SeenVolumes} from './volumes/seen-volumes.ts'
import {startVolumeManager} from './volumes/volume-manager.ts'
import {dispatchedLifecycle} from './workers/dispatched-lifecycle.ts'
import {type PodLifecycle, podIsEvicted} from './workers/pod-lifecycle.ts'
import {statefulLifecycle} from './workers/stateful-lifecycle.ts'
import {workQueue} from './workers/work-queue.ts'

export interface Kubelet {
  /** What a container's readiness probe says from now on. */
  readiness(uid: string, container: string, ready: boolean): void
  /** The eviction manager chose this pod. */
  evict(uid: string, message: string): void
  /** What /pods serves: each as the API server last had it, its status too. Upstream: GetPods. */
  pods(): readonly Pod[]
  volumes(): SeenVolumes
  /** When its one loop last began or ended a turn; 0 before the first. Upstream: LatestLoopEntryTime */
  loopEnteredAt(): number
}

export interface KubeletOptions {
  readonly profile: Profile
  readonly config: KubeletConfig
  readonly nodeName: string
  /** As the runtime calls itself: the first part of the ids of containers. */
  readonly runtimeName: string
  readonly ports: KubeletPorts
  /** Its process ends: what it knew is gone, calls in flight are cut. */
  readonly signal: AbortSignal
}

const syncPeriod = 1000
const housekeepingPeriod = 2000
const containerGcPeriod = 60_000
const plegChannelCapacity = 1000

export function startKubelet({profile, config, nodeName, runtimeName, ports, signal}: KubeletOptions): Kubelet {
  const {clock, dice, log, api} = ports
  const spawn = (work: Promise<unknown>): void => {
    work.catch((error) => {
      if (!signal.aborted) throw error
    })
  }
  /** Upstream: wait.Until, which counts the period from the end. */
  const every = async (period: number, step: () => Promise<void>): Promise<void> => {
    for (;;) {
      await step()
      await clock.sleep(period, signal)
    }
  }

  /** What fails here is done again by the next housekeeping. */
  const unlessAborted = async (text: string, step: Promise<void>): Promise<void> => {
    await step.catch((error) => {
      signal.throwIfAborted()
      log({text, fields: {err: String(error)}})
    })
  }

  const pods = podManager()
  const cache = podCache()
  const reasons = reasonCache()
  const readiness = readinessResults()
  const queue = workQueue(clock)
  const runtime = remoteRuntime(ports.cri, signal)
  const getPods = runtimePodLister(runtime)
  const running = runtimeCache(clock, dice.of('runtime cache'), getPods)
  const killer = containerKiller(profile, runtime, log, signal)
  const images = imageManager({clock, runtime, backOff: backOff(clock), signal})
  const crashes = backOff(clock)
  const start = containerStarter({runtime, images, killer, mountedVolumes: (pod) => volumes.mountedVolumes(pod), signal})

  /** The API server has said which pods there are: one that is not among them is gone. */
  let sourcesReady = false
  const rateLimit = clientRateLimit(profile, config, clock)
  const getClaim = async (namespace: string, name: string): Promise<BoundClaim> => {
    // The claim, and the volume that it is bound to.
    await rateLimit.wait(signal)
    await rateLimit.wait(signal)
    return api.call('GET persistentvolumeclaim', {namespace, name}, {timeoutMs: Number.POSITIVE_INFINITY, signal})
  }
  const volumes = startVolumeManager({
    profile,
    ports,
    nodeName,
    podManager: pods,
    podStates: {
      wantsVolumes: (pod, populated) => lifecycle.podStates.wantsVolumes(pod, populated),
      removalPass: () => lifecycle.podStates.removalPass(),
    },
    getClaim,
    sourcesReady: () => sourcesReady,
    signal,
    spawn,
  })
  const {podVolumesExist} = volumes
  const couldHaveRunningContainers = (uid: string) => lifecycle.couldHaveRunningContainers(uid)
  const safety = podResources({profile, cache, ports, podVolumesExist, couldHaveRunningContainers})
  const statusManager = startStatusManager({profile, rateLimit, ports, podManager: pods, safety, signal})
  const deadline = activeDeadline(clock, statusManager.getPodStatus)
  const statusSources: PodStatusSources = {
    profile,
    runtimeName,
    statusManager,
    reasonCache: reasons,
    podSyncHandlers: [(pod) => (deadline.isPast(pod) ? deadlineExceeded : undefined)],
    readiness: readiness.get,
    log,
  }
  const lifecycleOf = profile.switches.has('pod-worker-states') ? statefulLifecycle : dispatchedLifecycle
  const lifecycle: PodLifecycle = lifecycleOf({
    profile,
    ports,
    signal,
    podManager: pods,
    statusManager,
    reasonCache: reasons,
    cache,
    queue,
    runtime,
    runtimeCache: running,
    syncRuntime: kubeRuntime({profile, runtime, killer, start, backOff: crashes, signal}),
    killer,
    getPods,
    volumes,
    backOff: crashes,
    requestRelist: (uid) => requestRelist(uid),
    generate: (pod, status, podIsTerminal) => generateAPIPodStatus(pod, status, podIsTerminal, statusSources),
    spawn,
  })
  const deletor = startPodContainerDeletor({runtime, dice: dice.of('deletor'), log, signal})

  const configChanges = new Channel<PodEvent>(Number.POSITIVE_INFINITY)
  const plegEvents = new Channel<PlegEvent>(plegChannelCapacity)
  const pleg = genericPleg({clock, runtime, getPods, cache, send: (event) => plegEvents.trySend(event), log})
  const requestRelist = startPlegLoop({profile, clock, dice: dice.of('pleg'), pleg, log, signal, spawn})
  const gc = containerGc({runtime, killer, contentMayGo: lifecycle.contentMayGo, signal})
  const known = podConfig()

  const handleConfigChange = async (event: PodEvent): Promise<void> => {
    const change = known.update(event)
    sourcesReady = true
    if (change === undefined) return
    const {op, pod} = change
    if (op === 'REMOVE') {
      pods.deletePod(pod.metadata.uid)
      readiness.forget(pod.metadata.uid)
      return unlessAborted('Failed to delete pod', lifecycle.remove(pod))
    }
    pods.updatePod(pod)
    if (op === 'ADD') {
      killer.rememberGrace(pod)
      if ((pod.spec.volumes ?? []).length > 0) volumes.podAdded()
    }
    if (op !== 'RECONCILE') lifecycle.update(pod, op === 'ADD' ? 'create' : 'update')
    // What is left of an evicted pod may go as soon as the API server knows of the eviction, whoever may still want to read it.
    else if (podIsEvicted(pod.status)) cleanUpContainersInPod(pod.metadata.uid, '', true)
  }

  const handlePlegEvent = ({uid, type, id}: PlegEvent): void => {
    const pod = pods.getPodByUID(uid)
    if (type !== 'ContainerRemoved' && pod !== undefined) lifecycle.update(pod, 'sync')
    if (type === 'ContainerDied') cleanUpContainersInPod(uid, id)
  }

  /** @param exited the container that has died; all dead ones may go when `all` or when nobody needs them any more */
  const cleanUpContainersInPod = (uid: string, exited: string, all = false): void => {
    const cached = cache.get(uid)
    if ('error' in cached) return
    deletor.deleteContainersInPod(exited, cached.status, all || lifecycle.endedMayGo(uid, cached.status))
  }

  const syncDuePods = (): void => {
    const due = new Set([...queue.getWork()].flatMap((uid) => pods.getPodByUID(uid) ?? []))
    for (const pod of pods.withDeadline()) if (deadline.isPast(pod)) due.add(pod)
    for (const pod of due) lifecycle.update(pod, 'sync')
  }

  const housekeeping = async (): Promise<void> => {
    // When there are no pods at all nothing ever comes: then the first list has been empty.
    sourcesReady = true
    await unlessAborted('Failed cleaning pods', lifecycle.housekeeping())
  }

  spawn(every(containerGcPeriod, () => gc.garbageCollect(sourcesReady)))
  api.watchPods((event) => configChanges.trySend(event), signal)
  const sources = [
    source(configChanges, handleConfigChange),
    source(plegEvents, handlePlegEvent),
    source(tick(clock, syncPeriod, signal), syncDuePods),
    source(tick(clock, housekeepingPeriod, signal), housekeeping),
  ]
  let loopEnteredAt = 0
  const entered = () => {
    loopEnteredAt = clock.now()
  }
  spawn(syncLoop({clock, dice: dice.of('sync loop'), signal, sources, unhealthy: pleg.unhealthy, entered, log}))

  return {
    readiness: (uid, container, ready) => {
      if (readiness.get(uid, container) === ready) return
      readiness.set(uid, container, ready)
      const pod = pods.getPodByUID(uid)
      const cached = cache.get(uid)
      if (pod === undefined || 'error' in cached) return
      const now = cached.status.containers.find(({metadata, state}) => metadata.name === container && state === 'RUNNING')
      if (now === undefined) return
      statusManager.setContainerReadiness(uid, containerIdOf(runtimeName, now.id), ready)
      lifecycle.readinessChanged(pod)
    },
    evict: (uid, message) => {
      const pod = pods.getPodByUID(uid)
      if (pod !== undefined) lifecycle.evict(pod, message)
    },
    pods: pods.getPods,
    volumes: volumes.seen,
    loopEnteredAt: () => loopEnteredAt,
  }
}
