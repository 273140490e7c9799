// What became of a pid that the runtime calls a container's main process.
import {readdirSync, readFileSync} from 'node:fs'
import type {Host} from '../endpoints/host.ts'
import {parseCgroups} from '../processes/cgroup.ts'
import {parseProcessStat} from '../processes/process-stat.ts'
import type {ProcessLook} from './container-look.ts'

/** @param bootedAt milliseconds since 1970. Undefined when /proc does not let us see. */
export function lookAtProcess(host: Pick<Host, 'locate'>, pid: number, bootedAt: number): ProcessLook | undefined {
  const folder = host.locate(`/proc/${pid}`)
  try {
    const stat = parseProcessStat(readFileSync(`${folder}/stat`, 'utf8'))
    if (stat === undefined) return undefined
    // A process whose first thread has ended looks the same while its others live on.
    if (stat.state === 'X' || (stat.state === 'Z' && readdirSync(`${folder}/task`).length < 2)) return {state: 'zombie'}
    const containerId = parseCgroups(readFileSync(`${folder}/cgroup`, 'utf8'))?.containerId
    return {state: 'there', startedAt: bootedAt + stat.startedAfterMs, ...(containerId !== undefined && {containerId})}
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    // ESRCH: it ended between the opening and the reading.
    return code === 'ENOENT' || code === 'ESRCH' ? {state: 'gone'} : undefined
  }
}
