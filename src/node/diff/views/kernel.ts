// What the kernel has: mounts by their mount points, devices by their numbers, and which boot it is.
import {formatInstant} from '../../../base/instant.ts'
import type {Mount} from '../../mountinfo.ts'
import {known} from '../../reading.ts'
import type {Fact, Thing} from '../thing.ts'
import type {View} from '../view.ts'

export const kernelViews: readonly View[] = [
  {
    group: 'node',
    sources: ['kernel.boot'],
    things: ({readings}, {sameNode}) => {
      const boot = known(readings['kernel.boot'])
      // The moment is counted anew whenever the clock is set; the id says it all.
      return boot === undefined || !sameNode ? [] : [{key: 'boot', name: 'the boot', facts: {id: boot.id}}]
    },
  },
  {
    group: 'mounts',
    sources: ['kernel.mounts'],
    things: ({readings}) => mountThings(known(readings['kernel.mounts']) ?? []),
  },
  {
    group: 'mounts',
    sources: ['kernel.mounts', 'disk.mounts'],
    onlyChanges: true,
    things: ({readings}) =>
      (known(readings['disk.mounts']) ?? []).flatMap(({mountPoint, outcome}): Thing[] =>
        // A place that nobody looked at says nothing.
        outcome.state === 'skipped'
          ? []
          : [{key: mountPoint, name: mountPoint, facts: {look: outcome.state === 'error' ? `error ${outcome.code}` : outcome.state}}],
      ),
  },
  {
    group: 'devices',
    sources: ['kernel.devices'],
    things: ({readings}) =>
      (known(readings['kernel.devices']) ?? []).map(({device, name, backingFile}) => ({
        key: device,
        name: `${name} ${device}`,
        facts: {name, 'backing file': backingFile ?? null},
      })),
  },
  {
    group: 'takeovers',
    sources: ['takeovers'],
    things: ({readings}) =>
      (known(readings.takeovers) ?? []).map(({path, socket, expiresAt, holder, atPath, unreadable}) => ({
        key: path,
        name: socket === undefined ? path : `${socket} (${path})`,
        facts: {
          socket: socket ?? null,
          expires: expiresAt === undefined ? null : formatInstant(expiresAt),
          proxy: holder?.proxy,
          watchdog: holder === undefined ? undefined : (holder.watchdog ?? null),
          'other boot': holder?.otherBoot,
          'at the path': atPath,
          unreadable: unreadable ?? null,
        },
      })),
  },
]

/** Mounts at one place lie on top of each other, the lowest first: the n-th is the same in both. Their ids are new with each mount. */
function mountThings(mounts: readonly Mount[]): Thing[] {
  const levels = new Map<string, number>()
  return mounts.map(({mountPoint, fsType, source, device, root, options, optional, superOptions}) => {
    const level = (levels.get(mountPoint) ?? 0) + 1
    levels.set(mountPoint, level)
    const facts: Record<string, Fact> = {type: fsType, source, device, root, options, propagation: propagation(optional), superOptions}
    return {
      key: level === 1 ? mountPoint : JSON.stringify([mountPoint, level]),
      name: level === 1 ? mountPoint : `${mountPoint} (number ${level} there)`,
      facts,
    }
  })
}

/** The numbers of peer groups are given anew. */
function propagation(optional: readonly string[]): string {
  return optional.length === 0 ? 'private' : optional.map((field) => field.replace(/:\d+$/, '')).join(' ')
}
