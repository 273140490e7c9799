// Records of a bundle that are in our own words, not a raw reply: held to their shapes, and left out when they have another.
import * as v from 'valibot'
import type {DriverSocket, Registration} from '../csi/sockets.ts'
import type {Healthz} from '../healthz.ts'
import type {BlockDevice, Boot, ContainerProcess, MountLook} from '../kernel/facts.ts'
import type {NodeStatus} from '../node-status.ts'
import {atPaths} from '../takeover/at-path.ts'
import {takeoverCommands} from '../takeover/journal.ts'
import type {TakeoverJournal} from '../takeover/takeover.ts'

const text = v.string()
const texts = v.array(text)
const whole = v.pipe(v.number(), v.integer())

const answer = v.variant('state', [
  v.object({state: v.literal('answers')}),
  v.object({
    state: v.picklist(['missing', 'refused', 'denied', 'not-socket', 'not-grpc', 'other-service', 'failed']),
    why: text,
  }),
  v.object({state: v.literal('silent'), why: text, waitedMs: v.exactOptional(v.number())}),
])

const registration = v.object({
  socket: text,
  answer,
  type: v.exactOptional(text),
  name: v.exactOptional(text),
  endpoint: v.exactOptional(text),
  versions: v.exactOptional(texts),
})

const driverSocket = v.object({
  socket: text,
  answer,
  name: v.exactOptional(text),
  version: v.exactOptional(text),
  ready: v.exactOptional(v.boolean()),
  capabilities: v.exactOptional(texts),
  nodeId: v.exactOptional(text),
})

const blockDevice = v.object({device: text, name: text, backingFile: v.exactOptional(text)})
const boot = v.object({id: text, at: whole})
const containerProcess = v.object({
  pid: whole,
  startedAt: v.number(),
  state: text,
  cgroup: text,
  podUid: v.exactOptional(text),
  containerId: v.exactOptional(text),
})
const mountLook = v.object({
  mountPoint: text,
  outcome: v.variant('state', [
    v.object({state: v.literal('ok'), device: text}),
    v.object({state: v.literal('error'), code: text}),
    v.object({state: v.literal('silent'), afterMs: v.number()}),
    v.object({state: v.literal('skipped'), why: text}),
  ]),
})
const processState = v.picklist(['there', 'gone'])
const takeover = v.object({
  path: text,
  socket: v.exactOptional(text),
  startedAt: v.exactOptional(v.number()),
  expiresAt: v.exactOptional(v.number()),
  pid: v.exactOptional(whole),
  command: v.exactOptional(v.picklist(takeoverCommands)),
  holder: v.exactOptional(v.object({proxy: processState, watchdog: v.exactOptional(processState), otherBoot: v.boolean()})),
  atPath: v.exactOptional(v.picklist(atPaths)),
  unreadable: v.exactOptional(text),
})
const healthz = v.object({ok: v.boolean(), text})
const nodeStatus = v.object({name: text, volumesInUse: texts, volumesAttached: texts, kubeletVersion: v.exactOptional(text)})

export const parseRegistration = record<Registration>(registration)
export const parseDriverSocket = record<DriverSocket>(driverSocket)
export const parseBlockDevice = record<BlockDevice>(blockDevice)
export const parseContainerProcess = record<ContainerProcess>(containerProcess)
export const parseMountLook = record<MountLook>(mountLook)
export const parseTakeover = record<TakeoverJournal>(takeover)
export const parseHealthz = document<Healthz>(healthz)
export const parseBoot = document<Boot>(boot)
export const parseNodeStatus = document<NodeStatus>(nodeStatus)

function record<T>(schema: v.GenericSchema<unknown, T>): (value: unknown) => T | undefined {
  return (value) => {
    const result = v.safeParse(schema, value)
    return result.success ? result.output : undefined
  }
}

function document<T>(schema: v.GenericSchema<unknown, T>): (value: unknown) => T {
  return (value) => {
    const result = v.safeParse(schema, value)
    if (result.success) return result.output
    throw new Error(`Cannot read it as it must be a record of another shape: ${result.issues[0].message}`)
  }
}
