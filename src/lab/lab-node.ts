// A whole node in memory: API server, runtime and kubelet on one simulated clock, with faults between them.
import {type Dice, seeded} from '../base/dice.ts'
import {UserError} from '../base/errors.ts'
import {simulatedClock} from '../base/simulated-clock.ts'
import type {Rule} from '../faults/rule.ts'
import type {CriMethods} from '../kubelet/cri.ts'
import {kubeletRoot} from '../kubelet/disk.ts'
import {startKubelet} from '../kubelet/kubelet.ts'
import type {BoundClaim} from '../kubelet/pod.ts'
import type {ApiMethods, ApiPort, KubeletConfig, KubeletPorts} from '../kubelet/ports.ts'
import type {Profile} from '../kubelet/profiles.ts'
import type {Snapshot} from '../node/snapshot.ts'
import {type Timeline, timeline} from '../timeline/timeline.ts'
import {apiServer} from './api-server/api-server.ts'
import {describeApi} from './api-server/describe-api.ts'
import type {PodManifest} from './api-server/pod-manifest.ts'
import {type MemoryDisk, memoryDisk} from './disk/memory-disk.ts'
import {type DriverOptions, fakeDriver, type LabDriver} from './drivers/fake-driver.ts'
import {labDrivers} from './drivers/lab-drivers.ts'
import {kubeletLog} from './kubelet/kubelet-log-lines.ts'
import {labKubelet} from './kubelet/lab-kubelet.ts'
import type {LabClock} from './lab-clock.ts'
import {type LabRuntime, memoryRuntime} from './lab-runtime.ts'
import {labNodeName, labSnapshot} from './lab-snapshot.ts'
import {deadlines} from './port/deadlines.ts'
import {faultyPort} from './port/faulty-port.ts'
import {ruleBook} from './port/rule-book.ts'
import type {BehindTheBack} from './runtime/behind-the-back.ts'
import type {Wire} from './wire/wire.ts'

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
  readonly drivers: {
    get(name: string): LabDriver | undefined
    restart(name: string, downMs: number, unregister: boolean): void
  }
  /** Whoever writes to it does so behind everybody's back. */
  readonly disk: MemoryDisk
  readonly faults: {add(rule: Rule): void; remove(name: string): void}
  /** What whoever reads this node, with no fault on the way, finds at this moment. */
  snapshot(): Snapshot
  /** By how many milliseconds of its clock its kubelet came too late for something, at most. Absent: it is always in time. */
  readonly late?: () => number
  /** Takes away what it has outside of this process's memory. Absent: there is nothing. */
  readonly end?: () => Promise<void>
}

export interface LabOptions {
  readonly profile: Profile
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly start: number
  readonly config?: KubeletConfig
  readonly rules?: readonly Rule[]
  readonly drivers?: readonly DriverOptions[]
  /** Their volumes are there from the start, with their drivers. */
  readonly claims?: readonly BoundClaim[]
  /** Default: the kubelet calls the servers directly. */
  readonly wire?: Wire
  readonly parts?: RealParts
  /** Default: the model's. */
  readonly startKubelet?: typeof startKubelet
}

/** What of the node is real, or is not in memory at least; of the others, and of all by default, the lab has its own. */
export interface RealParts {
  /** Time that goes on by itself, from the start of the lab on. */
  readonly clock: LabClock
  readonly disk?: (tell: Timeline['disk']) => MemoryDisk
  /** @param nameOf 'namespace/name' of a pod that there is or was */
  readonly driver?: (options: DriverOptions, nameOf: (uid: string) => string | undefined) => LabDriver
  readonly runtime?: (timeline: Timeline) => LabRuntime
  /** Of the pods' uids: where others have pods, too, theirs must be other ones. Default: by the seed. */
  readonly uids?: Dice
  /** Takes away what the run has made there, once the kubelet's process has ended. */
  readonly end?: () => Promise<void>
}

/** The machine has been up that long when the kubelet starts. */
const upBefore = 3_600_000

export function startLabNode(options: LabOptions): LabNode {
  const {profile, config = {}, seed, start, rules = [], drivers: made = [], claims = [], startKubelet: startOne = startKubelet} = options
  const {wire, parts} = options
  const clock: LabClock = parts?.clock ?? simulatedClock(start, wire?.quiesce)
  const events = timeline(clock.now)
  const dice = seeded(seed)
  const api = apiServer(clock, events, parts?.uids ?? dice.of('api'))
  const runtime = parts?.runtime?.(events) ?? memoryRuntime(clock, events, dice.of('runtime'))
  const book = ruleBook(rules)
  const shared = {clock, timeline: events, rules: book, deadlines: deadlines(clock)}
  const apiPort = faultyPort<ApiMethods>(api.server, {...shared, describe: describeApi, asIfDone: api.asIfDone})
  const criPort = faultyPort<CriMethods>(runtime.server, {...shared, describe: runtime.describe})
  const disk = parts?.disk?.(events.disk) ?? memoryDisk(clock.now, events.disk)
  for (const claim of claims) api.addClaim(claim)
  const driverDice = dice.of('drivers')
  const drivers = labDrivers(made, claims, {
    ...shared,
    ...(wire && {through: (port, driver) => wire.csi(port, driver, clock)}),
    make: (each) => parts?.driver?.(each, api.nameOf) ?? fakeDriver(each, disk, clock, driverDice.of(each.name)),
    dice: driverDice,
    nameOf: api.nameOf,
  })
  const direct: ApiPort = {call: apiPort.call, watchPods: api.watchPods}
  const ports: Omit<KubeletPorts, 'dice' | 'csi'> = {
    clock,
    api: wire?.api(direct, api, clock) ?? direct,
    cri: (runtime.world && wire?.cri(criPort, runtime.world, clock)) ?? criPort,
    disk,
    log: events.log,
    believe: events.belief,
  }
  let starts = 0
  const kubelet = labKubelet(clock, (signal) => {
    // Each process has dice of its own, so that what one threw does not depend on when the one before ended.
    const name = starts++ === 0 ? 'kubelet' : `kubelet ${starts}`
    // The first has been up for a while. One that starts again finds the sockets of the drivers after a second or so.
    const csi = drivers.registered(starts === 1 ? 0 : clock.now() + 500 + dice.of(`plugins of ${name}`).roll(1000))
    return startOne({
      profile,
      config,
      nodeName: labNodeName,
      runtimeName: runtime.name,
      ports: {...ports, csi, dice: dice.of(name)},
      signal,
    })
  })
  const log = kubeletLog({profile, node: labNodeName, events: events.events, restarts: kubelet.seen().restarts})
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
    runtime: runtime.behindTheBack,
    kubelet: {
      restart: kubelet.restart,
      evict: (pod, message) => kubelet.evict(uidOf(pod), message),
      readiness: (pod, container, ready) => kubelet.readiness(uidOf(pod), container, ready),
    },
    drivers,
    disk,
    faults: {add: book.add, remove: book.remove},
    ...(clock.late && {late: clock.late}),
    ...(parts?.end && {
      end: async () => {
        kubelet.end()
        await parts.end?.()
      },
    }),
    snapshot: () =>
      labSnapshot({
        now: clock.now(),
        bootedAt: start - upBefore,
        profile,
        log: log(clock.now()),
        world: runtime.world,
        api: api.list(),
        kubelet: kubelet.seen(),
        drivers: drivers.seen(),
        disk: disk.listing(kubeletRoot),
      }),
  }
}
