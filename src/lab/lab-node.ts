// A whole node in memory: API server, runtime and kubelet on one simulated clock, with faults between them.
import {seeded} from '../base/dice.ts'
import {UserError} from '../base/errors.ts'
import {simulatedClock} from '../base/simulated-clock.ts'
import type {Rule} from '../faults/rule.ts'
import type {CriMethods} from '../kubelet/cri.ts'
import {startKubelet} from '../kubelet/kubelet.ts'
import type {ApiMethods, KubeletConfig, KubeletPorts} from '../kubelet/ports.ts'
import type {Profile} from '../kubelet/profiles.ts'
import {type Timeline, timeline} from '../timeline/timeline.ts'
import {apiServer} from './api-server.ts'
import {type BehindTheBack, behindTheBack} from './behind-the-back.ts'
import {deadlines} from './deadlines.ts'
import {describeApi} from './describe-api.ts'
import {describeCri} from './describe-cri.ts'
import {fakeRuntime} from './fake-runtime.ts'
import {faultyPort} from './faulty-port.ts'
import {healthyVolumes} from './healthy-volumes.ts'
import {labKubelet} from './lab-kubelet.ts'
import type {PodManifest} from './pod-manifest.ts'
import {ruleBook} from './rule-book.ts'
import {runtimeWorld} from './runtime-world.ts'

export interface LabNode {
  readonly timeline: Timeline
  /** Milliseconds since 1970. */
  now(): number
  /** Goes on to that moment. */
  run(until: number): Promise<void>
  /** What a client does at the API server. Each rejects as the server would: 'NotFound', 'AlreadyExists'. */
  readonly client: {
    createPod(manifest: PodManifest): Promise<void>
    /** @param gracePeriodSeconds absent: the pod's own */
    deletePod(pod: string, gracePeriodSeconds?: number): Promise<void>
    removeFinalizers(pod: string): Promise<void>
  }
  /** What somebody does at the runtime, behind the kubelet's back. */
  readonly runtime: BehindTheBack
  readonly kubelet: {
    restart(downMs: number): void
    evict(pod: string, message: string): void
    readiness(pod: string, container: string, ready: boolean): void
  }
  readonly faults: {add(rule: Rule): void; remove(name: string): void}
}

export interface LabOptions {
  readonly profile: Profile
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly start: number
  readonly config?: KubeletConfig
  readonly rules?: readonly Rule[]
  /** Default: the model's. */
  readonly startKubelet?: typeof startKubelet
}

export function startLabNode(options: LabOptions): LabNode {
  const {profile, config = {}, seed, start, rules = [], startKubelet: startOne = startKubelet} = options
  const clock = simulatedClock(start)
  const events = timeline(clock.now)
  const dice = seeded(seed)
  const api = apiServer(clock, events, dice.of('api'))
  const world = runtimeWorld(clock, events)
  const book = ruleBook(rules)
  const shared = {clock, timeline: events, rules: book, deadlines: deadlines(clock)}
  const apiPort = faultyPort<ApiMethods>(api.server, {...shared, describe: describeApi})
  const criPort = faultyPort<CriMethods>(fakeRuntime(world, clock, dice.of('runtime')), {...shared, describe: describeCri(world)})
  const ports: Omit<KubeletPorts, 'dice'> = {
    clock,
    api: {call: apiPort.call, watchPods: api.watchPods},
    cri: criPort,
    volumes: healthyVolumes,
    log: events.log,
  }
  let starts = 0
  const kubelet = labKubelet(clock, (signal) =>
    // Each process has dice of its own, so that what one threw does not depend on when the one before ended.
    startOne({profile, config, ports: {...ports, dice: dice.of(starts++ === 0 ? 'kubelet' : `kubelet ${starts}`)}, signal}),
  )
  const uidOf = (pod: string): string => {
    const found = api.get(pod)
    if (found === undefined)
      throw new UserError(`Cannot do this to the pod ${pod} as the API server must have it: it has none of that name now`)
    return found.metadata.uid
  }
  return {
    timeline: events,
    now: clock.now,
    run: clock.run,
    client: {
      createPod: async (manifest) => void (await api.create(manifest)),
      deletePod: api.delete,
      removeFinalizers: api.removeFinalizers,
    },
    runtime: behindTheBack(world),
    kubelet: {
      restart: kubelet.restart,
      evict: (pod, message) => kubelet.evict(uidOf(pod), message),
      readiness: (pod, container, ready) => kubelet.readiness(uidOf(pod), container, ready),
    },
    faults: {add: book.add, remove: book.remove},
  }
}
