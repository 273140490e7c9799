// One operation at a time for a volume, and a pause after one that failed. Upstream: volume/util/nestedpendingoperations, goroutinemap/exponentialbackoff
import type {Clock} from '../../base/clock.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import {textOf} from './csi-host.ts'

export interface Operation {
  readonly name:
    | 'verify_controller_attached_volume'
    | 'volume_mount'
    | 'volume_unmount'
    | 'unmount_device'
    | 'map_volume'
    | 'unmap_volume'
    | 'unmap_device'
  /** What its log lines tell besides. */
  readonly about: Readonly<Record<string, string>>
  /** @throws when it failed */
  readonly run: () => Promise<void>
}

/** Of a device, and of a mount of a volume that is staged first, the pod's name is empty: they wait for whatever is done to the volume. */
export const anyPod = ''

export interface PendingOperations {
  isPending(volumeName: string, podName: string): boolean
  /** `executing` and `backing-off` are no errors: it is tried again all the time. */
  run(volumeName: string, podName: string, operation: Operation): 'started' | 'executing' | 'backing-off'
}

interface Entry {
  podName: string
  operationName: string
  pending: boolean
  duration: number
  failedAt: number
}

export interface PendingOperationsOptions {
  readonly profile: Profile
  readonly clock: Clock
  readonly log: KubeletPorts['log']
  readonly signal: AbortSignal
  /** Goes on beside; only the end of the kubelet may make it fail. */
  readonly spawn: (work: Promise<unknown>) => void
}

const initialDuration = 500
/** Two seconds more than two minutes, so that one knows it again. */
const maxDuration = 122_000

export function pendingOperations({profile, clock, log, signal, spawn}: PendingOperationsOptions): PendingOperations {
  const ownEntryFirst = profile.switches.has('own-operation-first')
  const entries = new Map<string, Entry[]>()

  const find = (volumeName: string, podName: string): Entry | undefined => {
    const matching = (entries.get(volumeName) ?? []).filter(
      (entry) => entry.podName === anyPod || podName === anyPod || entry.podName === podName,
    )
    // Else the first one's back-off counts, or an operation that another one has taken the entry of goes unseen.
    if (!ownEntryFirst) return matching[0]
    return matching.find(({pending}) => pending) ?? matching.find((entry) => entry.podName === podName) ?? matching[0]
  }

  const remove = (volumeName: string, podName: string): void => {
    const list = entries.get(volumeName) ?? []
    const index = list.findIndex((entry) => entry.podName === podName)
    if (index !== -1) list.splice(index, 1)
    if (list.length === 0) entries.delete(volumeName)
  }

  const failed = (volumeName: string, podName: string, {name, about}: Operation, error: unknown): void => {
    const entry = entries.get(volumeName)?.find((each) => each.podName === podName)
    if (entry === undefined) {
      log({text: 'Operation completed, but failed to get operation to update', fields: {...about}})
      return
    }
    entry.duration = entry.duration === 0 ? initialDuration : Math.min(entry.duration * 2, maxDuration)
    entry.failedAt = clock.now()
    entry.pending = false
    const {pod, ...fields} = about
    log({
      text: 'Operation failed. No retries permitted',
      ...(pod !== undefined && {pod}),
      fields: {...fields, operation: name, durationBeforeRetry: entry.duration, error: textOf(error)},
    })
  }

  const carryOut = async (volumeName: string, podName: string, operation: Operation): Promise<void> => {
    // Whoever starts it goes on first.
    await Promise.resolve()
    try {
      await operation.run()
      remove(volumeName, podName)
    } catch (error) {
      signal.throwIfAborted()
      failed(volumeName, podName, operation, error)
    }
  }

  return {
    isPending: (volumeName, podName) => find(volumeName, podName)?.pending ?? false,
    run: (volumeName, podName, operation) => {
      const entry = find(volumeName, podName)
      if (entry === undefined) {
        const list = entries.get(volumeName) ?? []
        entries.set(volumeName, list)
        list.push({podName, operationName: operation.name, pending: true, duration: 0, failedAt: Number.NEGATIVE_INFINITY})
      } else {
        if (entry.pending) return 'executing'
        if (clock.now() - entry.failedAt <= entry.duration) {
          if (entry.operationName === operation.name) return 'backing-off'
          // Another one: it begins anew. Only within the back-off: a later one goes on counting.
          Object.assign(entry, {operationName: operation.name, duration: 0, failedAt: Number.NEGATIVE_INFINITY})
        }
        entry.pending = true
        entry.podName = podName
      }
      spawn(carryOut(volumeName, podName, operation))
      return 'started'
    },
  }
}
