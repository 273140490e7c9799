// A status manager on simulated time, with an API server that holds pods in memory and no more.
import {seeded} from '../../src/base/dice.ts'
import {simulatedClock} from '../../src/base/simulated-clock.ts'
import type {Disk} from '../../src/kubelet/disk.ts'
import type {Pod, PodStatus} from '../../src/kubelet/pod.ts'
import {podManager} from '../../src/kubelet/pod-manager.ts'
import {CallFailure} from '../../src/kubelet/port.ts'
import type {ApiMethods, ApiPort, CriPort, KubeletConfig} from '../../src/kubelet/ports.ts'
import type {Profile} from '../../src/kubelet/profiles.ts'
import {clientRateLimit} from '../../src/kubelet/status/client-rate-limit.ts'
import {startStatusManager} from '../../src/kubelet/status-manager.ts'
import {timeline} from '../../src/timeline/timeline.ts'
import {start} from './model-pods.ts'

export interface WorldOptions {
  readonly profile: Profile
  readonly config?: KubeletConfig
  readonly seed?: number
  /** Milliseconds that each call takes. */
  readonly latency?: number
  readonly reclaimed?: (pod: Pod) => boolean
  readonly couldRun?: (pod: Pod) => boolean
}

export function statusWorld(options: WorldOptions) {
  const clock = simulatedClock(start)
  const events = timeline(clock.now)
  const stored = new Map<string, Pod>()
  const pods = podManager()
  const stop = new AbortController()
  const failing = new Map<string, CallFailure>()
  const latencies = {ms: options.latency ?? 0}

  const serve = (method: string, {namespace, name, uid, status}: Request): unknown => {
    const key = `${namespace}/${name}`
    const failure = failing.get(method)
    if (failure) throw failure
    const pod = stored.get(key)
    if (pod === undefined) throw new CallFailure('NotFound', `pods "${name}" not found`)
    if (method === 'GET pod') return pod
    if (uid !== pod.metadata.uid) throw new CallFailure('Conflict', 'the UID in the precondition does not match')
    if (method === 'DELETE pod') return stored.delete(key)
    if (status === undefined) throw new CallFailure('BadRequest', 'no status')
    return put({...pod, status})
  }

  /** As if it came by the watch at once. */
  const put = (pod: Pod): Pod => {
    stored.set(`${pod.metadata.namespace}/${pod.metadata.name}`, pod)
    pods.updatePod(pod)
    return pod
  }

  const api: ApiPort = {
    call: async <M extends keyof ApiMethods & string>(method: M, request: ApiMethods[M]['request']) => {
      const asked = request as Request
      const event = events.call({to: 'api', method, pod: `${asked.namespace}/${asked.name}`, request: {...asked}})
      if (latencies.ms > 0) await clock.sleep(latencies.ms)
      try {
        const answer = serve(method, asked)
        event.outcome = 'OK'
        return answer as ApiMethods[M]['response']
      } catch (error) {
        if (error instanceof CallFailure) event.outcome = error.code
        throw error
      }
    },
    watchPods: () => {},
  }

  const manager = startStatusManager({
    profile: options.profile,
    rateLimit: clientRateLimit(options.profile, options.config ?? {kubeAPIQPS: 1e6, kubeAPIBurst: 1e6}, clock),
    ports: {
      clock,
      dice: seeded(options.seed ?? 1),
      api,
      cri: unused<CriPort>(),
      csi: () => undefined,
      disk: unused<Disk>(),
      log: events.log,
      believe: events.belief,
    },
    podManager: pods,
    safety: {
      podResourcesAreReclaimed: options.reclaimed ?? (() => false),
      podCouldHaveRunningContainers: options.couldRun ?? (() => false),
    },
    signal: stop.signal,
  })

  return {
    clock,
    manager,
    pods,
    put,
    stored,
    failing,
    latencies,
    stop,
    /** Goes on to so many milliseconds from the start. */
    at: (ms: number) => clock.run(start + ms),
    calls: () => events.events.filter((event) => event.kind === 'call'),
    /** 'GET default/web', in order. */
    requests: () => events.events.flatMap((event) => (event.kind === 'call' ? [`${event.method.split(' ')[0]} ${event.pod}`] : [])),
    logs: () => events.events.filter((event) => event.kind === 'log'),
    texts: () => events.events.flatMap((event) => (event.kind === 'log' ? [event.text] : [])),
  }
}

interface Request {
  readonly namespace: string
  readonly name: string
  readonly uid?: string
  readonly status?: PodStatus
}

const unused = <T extends object>(): T =>
  new Proxy({} as T, {
    get: (_target, name) => {
      throw new Error(`not for the status manager: ${String(name)}`)
    },
  })
