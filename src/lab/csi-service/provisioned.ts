// What a driver's controller knows of its volumes beyond what the node's driver does: how large they are, what they were made with, which nodes they are
// attached to. It outlives the driver's process. Secrets never come here.
import type {VolumeMode} from '../../kubelet/csi.ts'
import {CallFailure} from '../../kubelet/port.ts'
import {isInlineHandle} from '../../kubelet/traces/vol-record.ts'
import type {DriverVolume} from '../drivers/driver-volumes.ts'
import type {LabDriver} from '../drivers/fake-driver.ts'

export interface NewVolume {
  readonly name: string
  readonly mode: VolumeMode
  /** 0: not said. */
  readonly required: bigint
  /** 0: not said. */
  readonly limit: bigint
  readonly parameters: Readonly<Record<string, string>>
}

export interface ProvisionedVolume extends DriverVolume {
  readonly capacity: bigint
  /** As its maker gave them. */
  readonly parameters: Readonly<Record<string, string>>
  /** Nodes by their ids, and whether read-only. */
  readonly attachedTo: ReadonlyMap<string, boolean>
}

export interface Provisioned {
  /** In the order in which they were made, without inline ones. */
  list(): readonly ProvisionedVolume[]
  get(handle: string): ProvisionedVolume | undefined
  /** One of the same name is the same volume. @throws CallFailure ALREADY_EXISTS when it would have to be another */
  create(volume: NewVolume): ProvisionedVolume
  /** Never smaller. @returns its capacity @throws CallFailure OUT_OF_RANGE when it would be too large */
  expand(handle: string, required: bigint, limit: bigint): bigint
  /** @throws CallFailure FAILED_PRECONDITION while it is in use */
  remove(handle: string): void
  attach(handle: string, node: string, readonly: boolean): void
  /** @param node absent: from all */
  detach(handle: string, node?: string): void
  available(): bigint
}

const gib = 2n ** 30n
/** As large as the hostpath driver's. */
const pool = 1024n * gib

interface Known {
  readonly capacity: bigint
  readonly parameters: Readonly<Record<string, string>>
  readonly attachedTo: Map<string, boolean>
}

export function provisioned(driver: LabDriver): Provisioned {
  const known = new Map<string, Known>()
  let used = 0n
  const know = (handle: string, {capacity, parameters}: Pick<Known, 'capacity' | 'parameters'>): Known => {
    const made = {capacity, parameters, attachedTo: new Map<string, boolean>()}
    known.set(handle, made)
    used += capacity
    return made
  }
  // What nobody made here was there from the start.
  const knownOf = (handle: string): Known => known.get(handle) ?? know(handle, {capacity: gib, parameters: {}})
  const list = () => driver.volumes().flatMap((each) => (isInlineHandle(each.handle) ? [] : [{...each, ...knownOf(each.handle)}]))
  const get = (handle: string) => {
    const found = driver.volume(handle)
    return found === undefined ? undefined : {...found, ...knownOf(handle)}
  }
  const ensure = (more: bigint) => {
    if (more > pool - used) throw new CallFailure('OUT_OF_RANGE', `${more} bytes are more than there are: ${pool - used}`)
  }
  // Those of the start count, too.
  list()
  return {
    list,
    get,
    available: () => pool - used,
    create: ({name, mode, required, limit, parameters}) => {
      const there = get(name)
      if (there === undefined) {
        const capacity = required || (limit > 0n && limit < gib ? limit : gib)
        ensure(capacity)
        const made = {handle: name, mode, publishedAt: []}
        driver.controller.createVolume(name, mode)
        return {...made, ...know(name, {capacity, parameters})}
      }
      const fits = there.mode === mode && there.capacity >= required && (limit === 0n || there.capacity <= limit)
      if (!fits) throw new CallFailure('ALREADY_EXISTS', `volume ${name} is there, with mode ${there.mode} and ${there.capacity} bytes`)
      return there
    },
    expand: (handle, required, limit) => {
      const before = knownOf(handle)
      const missing = required - before.capacity
      const growth = missing > 0n ? missing : 0n
      const capacity = before.capacity + growth
      if (limit > 0n && capacity > limit) throw new CallFailure('OUT_OF_RANGE', `volume ${handle} has ${capacity} bytes, above ${limit}`)
      ensure(growth)
      known.set(handle, {...before, capacity})
      used += growth
      return capacity
    },
    remove: (handle) => {
      const {capacity = 0n, attachedTo} = known.get(handle) ?? {}
      const attached = [...(attachedTo?.keys() ?? [])]
      if (attached.length > 0) throw new CallFailure('FAILED_PRECONDITION', `volume ${handle} is in use by ${attached.join(', ')}`)
      driver.controller.deleteVolume(handle)
      known.delete(handle)
      used -= capacity
    },
    attach: (handle, node, readonly) => {
      const {attachedTo} = knownOf(handle)
      const before = attachedTo.get(node)
      if (before !== undefined && before !== readonly)
        throw new CallFailure('ALREADY_EXISTS', `volume ${handle} is attached to ${node} with readonly ${before}`)
      attachedTo.set(node, readonly)
    },
    detach: (handle, node) => {
      if (node === undefined) known.get(handle)?.attachedTo.clear()
      else known.get(handle)?.attachedTo.delete(node)
    },
  }
}
