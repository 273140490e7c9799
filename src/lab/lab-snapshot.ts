// A node of the lab as the readers of src/node would find it. What the lab does not have is said to be absent, so that nobody concludes anything from it.
import {kubeletRoot} from '../kubelet/disk.ts'
import type {Pod} from '../kubelet/pod.ts'
import type {Profile} from '../kubelet/profiles.ts'
import type {KubeletLogLine} from '../node/kubelet-log.ts'
import {absent, failed, read} from '../node/reading.ts'
import type {Readings, Snapshot} from '../node/snapshot.ts'
import {sourceNames} from '../node/snapshot.ts'
import {seenPods} from './api-server/pod-objects.ts'
import {diskReadings} from './disk/disk-readings.ts'
import type {DiskRow} from './disk/tree-disk.ts'
import {driverReadings, socketEntries} from './drivers/driver-readings.ts'
import type {SeenDriver} from './drivers/lab-drivers.ts'
import type {SeenKubelets} from './kubelet/lab-kubelet.ts'
import {runtimeReadings} from './runtime/runtime-readings.ts'
import type {RuntimeWorld} from './runtime/runtime-world.ts'

/** The node's name. */
export const labNodeName = 'lab'
/** The runtime's, which is the first part of the ids of its containers. */
export const labRuntimeName = 'lab'

export interface LabState {
  readonly now: number
  readonly bootedAt: number
  readonly profile: Profile
  readonly log: readonly KubeletLogLine[]
  /** Absent: nobody looks at the runtime. */
  readonly world: RuntimeWorld | undefined
  /** The pods that the API server has. */
  readonly api: readonly Pod[]
  readonly kubelet: SeenKubelets
  readonly drivers: readonly SeenDriver[]
  /** All that lies below the kubelet's root. */
  readonly disk: readonly DiskRow[]
}

const down = 'connect: connection refused'

export function labSnapshot({now, bootedAt, profile, log, world, api, kubelet, drivers, disk}: LabState): Snapshot {
  const startedAt = kubelet.restarts.at(-1) ?? bootedAt + toKubelet
  const readings: Partial<Readings> = {
    ...(world && runtimeReadings(world)),
    'kubelet.pods': kubelet.pods === undefined ? failed(down, 0, 'refused') : read(seenPods(kubelet.pods, labNodeName, 'kubelet')),
    'kubelet.log': read(log),
    ...diskReadings(disk, socketEntries(drivers, bootedAt), bootedAt),
    ...driverReadings(drivers),
    'api.pods': read(seenPods(api, labNodeName, 'api')),
    'kernel.boot': read({id: bootId, at: bootedAt}),
    takeovers: read([]),
  }
  return {
    node: labNodeName,
    when: now,
    kubeletRoot,
    kubeletVersion: profile.version,
    ...(kubelet.pods === undefined ? {} : {kubeletProcess: {pid, program: 'kubelet', startedAt, certain: true}}),
    readings: {...nothing, ...readings},
    unread: {},
  }
}

const pid = 1000
/** From the start of the machine to that of its kubelet. */
const toKubelet = 60_000
const bootId = '1ab00000-0000-4000-8000-000000000000'

const nothing = Object.fromEntries(sourceNames.map((name) => [name, absent('the lab does not have it')])) as unknown as Readings
