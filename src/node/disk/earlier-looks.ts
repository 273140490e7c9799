// Looks of earlier runs that still hang. Not even SIGKILL ends them, so a look at the same file system would only leave one more of them.
import type {Host} from '../endpoints/host.ts'
import {parseProcessStat} from '../processes/process-stat.ts'

/** 'major:minor' of a file system to the milliseconds for which a look at it hangs. */
export type EarlierLooks = ReadonlyMap<string, number>

/** The kernel keeps 15 characters of it, and shows it without waiting for the process. */
export function titleOf(device: string): string {
  return `kl-stat ${device}`.slice(0, longestName)
}

const longestName = 15

/** Never throws. */
export async function earlierLooks(host: Pick<Host, 'processes' | 'readText'>): Promise<EarlierLooks> {
  const found = new Map<string, number>()
  const looking = host.processes().flatMap(({pid, name}) => {
    const device = name.length < longestName ? /^kl-stat (\d+:\d+)$/.exec(name)?.[1] : undefined
    return device === undefined ? [] : [{pid, device}]
  })
  for (const {pid, device} of looking) {
    const ms = await hangsFor(host, pid)
    if (ms !== undefined) found.set(device, Math.max(ms, found.get(device) ?? 0))
  }
  return found
}

/** Undefined when it does not hang in the kernel, or has ended. */
async function hangsFor(host: Pick<Host, 'readText'>, pid: number): Promise<number | undefined> {
  try {
    const stat = parseProcessStat(await host.readText(`/proc/${pid}/stat`))
    if (stat?.state !== 'D') return undefined
    const uptimeMs = Number.parseFloat(await host.readText('/proc/uptime')) * 1000
    return Math.max(0, Math.round(uptimeMs - stat.startedAfterMs))
  } catch {
    return undefined
  }
}
