// What CSI's steps stand on, with a driver that answers as a test says and a disk that starts empty.
import {simulatedClock} from '../../src/base/simulated-clock.ts'
import type {CsiMethods, NodeCapability} from '../../src/kubelet/csi.ts'
import type {Disk} from '../../src/kubelet/disk.ts'
import {CallFailure, type Port} from '../../src/kubelet/port.ts'
import type {Profile} from '../../src/kubelet/profiles.ts'
import {csiClients} from '../../src/kubelet/volumes/csi-client.ts'
import type {CsiHost} from '../../src/kubelet/volumes/csi-host.ts'
import type {VolumeSpec} from '../../src/kubelet/volumes/volume-spec.ts'
import {type MemoryDisk, memoryDisk} from '../../src/lab/disk/memory-disk.ts'
import {leftOn} from './left-on.ts'
import {driver} from './volume-lab.ts'

type Method = keyof CsiMethods & string

export interface StepsOptions {
  readonly profile: Profile
  /** A gRPC code for each call of a method in turn, the last one for all that follow; OK where nothing is said. */
  readonly answers?: Partial<Readonly<Record<Method, string | readonly string[]>>>
  readonly capabilities?: readonly NodeCapability[]
  readonly registered?: boolean
  /** What the driver does to the disk with a call that it answers OK. */
  readonly does?: (method: Method, request: Readonly<Record<string, unknown>>, disk: MemoryDisk) => Promise<void>
}

export interface Steps {
  readonly host: CsiHost
  readonly disk: MemoryDisk
  /** 'NodeStageVolume', in order, without those for capabilities. */
  calls(): string[]
  readonly requests: (readonly [Method, Readonly<Record<string, unknown>>])[]
  readonly logs: string[]
  /** Paths below the kubelet's root that are no parents of others. */
  left(): string[]
}

export function csiSteps(options: StepsOptions): Steps {
  const {profile, answers = {}, capabilities = ['STAGE_UNSTAGE_VOLUME'], registered = true, does} = options
  const clock = simulatedClock(0)
  const disk = memoryDisk(clock.now)
  const requests: (readonly [Method, Readonly<Record<string, unknown>>])[] = []
  const logs: string[] = []
  const codeOf = (method: Method): string => {
    const given = answers[method] ?? 'OK'
    if (typeof given === 'string') return given
    const before = requests.filter(([each]) => each === method).length - 1
    return given[Math.min(before, given.length - 1)] ?? 'OK'
  }
  const port: Port<CsiMethods> = {
    call: async (method, request) => {
      requests.push([method, request as Readonly<Record<string, unknown>>])
      const code = codeOf(method)
      if (code !== 'OK') throw new CallFailure(code, 'injected')
      await does?.(method, request as Readonly<Record<string, unknown>>, disk)
      return (method === 'NodeGetCapabilities' ? {capabilities} : {}) as never
    },
  }
  const clients = csiClients({
    profile,
    clock,
    csi: (name) => (registered && name === driver ? port : undefined),
    signal: new AbortController().signal,
  })
  return {
    host: {profile, disk: disk as Disk, clients, nodeName: 'lab', log: ({text}) => void logs.push(text)},
    disk,
    calls: () => requests.flatMap(([method]) => (method === 'NodeGetCapabilities' ? [] : [method])),
    requests,
    logs,
    left: () => leftOn(disk),
  }
}

export const spec = (more: Partial<VolumeSpec> = {}): VolumeSpec => ({
  name: 'pv1',
  driver,
  handle: 'h1',
  mode: 'Filesystem',
  ephemeral: false,
  ...more,
})
