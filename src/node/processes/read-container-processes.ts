// The processes of containers, by their cgroups.
import {readdirSync, readFileSync} from 'node:fs'
import {setImmediate} from 'node:timers/promises'
import {firstLine} from '../../base/errors.ts'
import type {Host} from '../endpoints/host.ts'
import type {ContainerProcess} from '../kernel/facts.ts'
import {readBoot} from '../kernel/read-boot.ts'
import {whyNotWholeMachine} from '../kernel/whole-machine.ts'
import {failed, type Reading, read} from '../reading.ts'
import {parseCgroups} from './cgroup.ts'
import {parseProcessStat} from './process-stat.ts'

/** Others want their turn while thousands of processes are read. */
const atOnce = 200

/** In the order of their pids. Never throws. @param kubeletPid of a kubelet that runs: then /proc is the node's. */
export async function readContainerProcesses(
  host: Pick<Host, 'locate' | 'readText' | 'readLink'>,
  kubeletPid?: number,
): Promise<Reading<readonly ContainerProcess[]>> {
  const boot = await readBoot(host)
  if (boot.state !== 'read') return boot
  try {
    const proc = host.locate('/proc')
    const pids = readdirSync(proc)
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .sort((a, b) => a - b)
    const found: ContainerProcess[] = []
    for (const [index, pid] of pids.entries()) {
      if (index % atOnce === atOnce - 1) await setImmediate()
      const process = readProcess(`${proc}/${pid}`, pid, boot.value.at)
      if (process !== undefined) found.push(process)
    }
    // With hidepid, one who is not root sees only his own.
    const hidden = pids.includes(1) ? undefined : 'the processes of others are hidden from us'
    return read(found, hidden ?? (await whyNotWholeMachine(host, kubeletPid)))
  } catch (error) {
    return failed(firstLine(error))
  }
}

/** Reads in one go, as thousands of asynchronous reads cost several times more. Neither file waits for the process. */
function readProcess(folder: string, pid: number, bootedAt: number): ContainerProcess | undefined {
  try {
    const owner = parseCgroups(readFileSync(`${folder}/cgroup`, 'utf8'))
    if (owner === undefined) return undefined
    const stat = parseProcessStat(readFileSync(`${folder}/stat`, 'utf8'))
    return stat && {pid, startedAt: bootedAt + stat.startedAfterMs, state: stat.state, ...owner}
  } catch {
    // It ended in the meantime.
    return undefined
  }
}
