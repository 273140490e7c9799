// A CSI driver in memory, as strict as the specification lets it be. Nobody but its own end stops its work: it goes on when the caller has given up, and
// meanwhile refuses other calls for the volume with ABORTED. Its order of checks is that of csi-driver-host-path (nodeserver.go).
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import type {CsiMethods, NodeCapability, VolumeMode} from '../../kubelet/csi.ts'
import {DiskError} from '../../kubelet/disk.ts'
import {CallFailure} from '../../kubelet/port.ts'
import {isInlineHandle} from '../../kubelet/traces/vol-record.ts'
import type {DriverDisk} from '../disk/driver-disk.ts'
import type {Server} from '../port/server.ts'
import {type DriverVolume, type DriverVolumes, driverVolumes} from './driver-volumes.ts'

export const driverWork = ['NodeStageVolume', 'NodeUnstageVolume', 'NodePublishVolume', 'NodeUnpublishVolume'] as const
export type DriverWork = (typeof driverWork)[number]

export interface DriverOptions {
  readonly name: string
  /** Default: STAGE_UNSTAGE_VOLUME. */
  readonly capabilities?: readonly NodeCapability[]
  /** How many milliseconds its work takes; some tens where nothing is said. */
  readonly takes?: Partial<Readonly<Record<DriverWork, number>>>
  /** The answer to an unstage of what is still published. csi-driver-host-path says INTERNAL. */
  readonly stillPublished?: 'FAILED_PRECONDITION' | 'INTERNAL'
}

export const defaultCapabilities: readonly NodeCapability[] = ['STAGE_UNSTAGE_VOLUME']

/** A driver as the lab deals with it. */
export interface LabDriver {
  readonly identity: {pluginInfo(): {readonly name: string; readonly vendorVersion: string}; probe(): {readonly ready: boolean}}
  /** Nobody waits for it in the lab: it is done at once. */
  readonly controller: {createVolume(handle: string, mode: VolumeMode): void; deleteVolume(handle: string): void}
  readonly node: Server<CsiMethods>
  volumes(): readonly DriverVolume[]
  volume(handle: string): DriverVolume | undefined
  /** Its process ends: connections break, and what was under way is never finished. */
  stop(): void
  start(): void
  /** Called after each of the two. @returns what ends it */
  watch(listener: (isUp: boolean) => void): () => void
}

export function fakeDriver(options: DriverOptions, disk: DriverDisk, clock: Clock, dice: Dice): LabDriver {
  const {name, capabilities = defaultCapabilities, takes = {}, stillPublished = 'FAILED_PRECONDITION'} = options
  const volumes = driverVolumes(name, disk)
  /** Before it is published. */
  const isStaged = (handle: string) => capabilities.includes('STAGE_UNSTAGE_VOLUME') && !isInlineHandle(handle)
  const pending = new Set<string>()
  let life: AbortController | undefined = new AbortController()
  const watchers = new Set<(isUp: boolean) => void>()
  const tellLife = () => {
    for (const watcher of watchers) watcher(life !== undefined)
  }

  const signal = (): AbortSignal => {
    if (life === undefined)
      throw new CallFailure('UNAVAILABLE', `connection error: dial unix ${name}/csi.sock: connect: connection refused`)
    return life.signal
  }
  const work = async (method: DriverWork, handle: string, check: () => void, carryOut: () => Promise<void>) => {
    const alive = signal()
    if (pending.has(handle)) throw new CallFailure('ABORTED', `an operation with the given volume ${handle} is already pending`)
    check()
    pending.add(handle)
    try {
      await clock.sleep(takes[method] ?? 10 + dice.of(`${method} ${handle}`).roll(40), alive)
      await carryOut()
    } catch (error) {
      throw error instanceof DiskError ? new CallFailure('INTERNAL', error.message) : error
    } finally {
      pending.delete(handle)
    }
    return {}
  }
  return {
    identity: {pluginInfo: () => ({name, vendorVersion: '1.0.0'}), probe: () => ({ready: life !== undefined})},
    controller: {
      createVolume: (handle, mode) => {
        if (volumes.get(handle) === undefined) volumes.create(handle, mode)
      },
      deleteVolume: (handle) => {
        const {stagedAt, publishedAt = []} = volumes.get(handle) ?? {}
        if (stagedAt !== undefined || publishedAt.length > 0) throw new CallFailure('FAILED_PRECONDITION', `volume ${handle} is in use`)
        volumes.remove(handle)
      },
    },
    node: {
      NodeGetCapabilities: async () => {
        await clock.sleep(1 + dice.roll(3), signal())
        return {capabilities}
      },
      NodeStageVolume: ({volumeId, stagingTargetPath: path, volumeMode}) =>
        work(
          'NodeStageVolume',
          volumeId,
          () => {
            const {stagedAt} = withMode(volumes, volumeId, volumeMode)
            if (stagedAt !== undefined && stagedAt !== path) refuse(`volume ${volumeId} is already staged at ${stagedAt}`)
          },
          () => volumes.stage(volumeId, path),
        ),
      NodeUnstageVolume: ({volumeId, stagingTargetPath: path}) =>
        work(
          'NodeUnstageVolume',
          volumeId,
          () => {
            const [published] = known(volumes, volumeId).publishedAt
            if (published !== undefined) throw new CallFailure(stillPublished, `volume ${volumeId} is still published at ${published}`)
          },
          () => volumes.unstage(volumeId, path),
        ),
      NodePublishVolume: ({volumeId, stagingTargetPath: path, targetPath, volumeMode}) =>
        work(
          'NodePublishVolume',
          volumeId,
          () => {
            // It is of this pod alone, and made by its first call.
            if (isInlineHandle(volumeId) && volumes.get(volumeId) === undefined) volumes.create(volumeId, volumeMode)
            const {stagedAt} = withMode(volumes, volumeId, volumeMode)
            if (isStaged(volumeId) && (stagedAt === undefined || stagedAt !== path))
              refuse(`volume ${volumeId} must be staged before it is published`)
          },
          () => volumes.publish(volumeId, targetPath, isStaged(volumeId) ? path : undefined),
        ),
      NodeUnpublishVolume: ({volumeId, targetPath}) =>
        work(
          'NodeUnpublishVolume',
          volumeId,
          () => void known(volumes, volumeId),
          async () => {
            await volumes.unpublish(volumeId, targetPath)
            if (isInlineHandle(volumeId)) volumes.remove(volumeId)
          },
        ),
    },
    volumes: volumes.list,
    volume: volumes.get,
    stop: () => {
      life?.abort(new CallFailure('UNAVAILABLE', 'error reading from server: EOF'))
      life = undefined
      tellLife()
    },
    start: () => {
      life ??= new AbortController()
      tellLife()
    },
    watch: (listener) => {
      const own = (isUp: boolean) => listener(isUp)
      watchers.add(own)
      return () => void watchers.delete(own)
    },
  }
}

function known(volumes: DriverVolumes, handle: string): DriverVolume {
  const volume = volumes.get(handle)
  if (volume === undefined) throw new CallFailure('NOT_FOUND', `volume ${handle} does not exist`)
  return volume
}

function withMode(volumes: DriverVolumes, handle: string, mode: VolumeMode): DriverVolume {
  const volume = known(volumes, handle)
  if (volume.mode !== mode)
    throw new CallFailure('INVALID_ARGUMENT', `volume ${handle} cannot be used with mode ${mode}: it has ${volume.mode}`)
  return volume
}

function refuse(message: string): never {
  throw new CallFailure('FAILED_PRECONDITION', message)
}
