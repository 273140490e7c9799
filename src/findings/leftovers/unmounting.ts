// The commands that take mounts away, in the order in which they can go.
import type {KubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import type {Mount} from '../../node/mountinfo.ts'
import type {Evidence, Remedy} from '../finding.ts'
import {shellWord} from '../shell-word.ts'

const inMemory = new Set(['tmpfs', 'ramfs'])

/** Innermost first. */
export function unmountRemedies(mounts: KubeletMounts, paths: readonly string[]): Remedy[] {
  const innermost = paths.toSorted((a, b) => b.length - a.length)
  return innermost.flatMap((path) => {
    const byPoint = Map.groupBy(mounts.at(path), ({mountPoint}) => mountPoint)
    return [...byPoint].map(([mountPoint, entries]) => unmountRemedy(mountPoint, entries))
  })
}

function unmountRemedy(mountPoint: string, entries: readonly Mount[]): Remedy {
  const times = entries.length === 1 ? '' : `, ${entries.length} times: the mount table has it so often`
  const volatile = entries.some(({fsType}) => inMemory.has(fsType))
  return {
    command: `umount ${shellWord(mountPoint)}`,
    why: `${entries.map(shortly).join(' and ')} is mounted there${times}; if it is busy, \`fuser -vm\` names who holds it`,
    loses: volatile ? 'what is in it: it lives in memory' : null,
  }
}

/** What is mounted at each path; a few are enough to see what it is about. */
export function mountEvidence(mounts: KubeletMounts, paths: readonly string[], most = 5): Evidence[] {
  const facts = paths
    .slice(0, most)
    .flatMap((path) => mounts.at(path).map((mount) => `${shortly(mount)} is mounted at ${mount.mountPoint}`))
  const more = paths.length > most ? [`${paths.length - most} more paths below it are mounted`] : []
  return [...new Set([...facts, ...more])].map((fact) => ({source: 'kernel.mounts', fact}))
}

function shortly({fsType, source, device}: Mount): string {
  return `${fsType} ${source === '' ? device : `${source} (${device})`}`
}
