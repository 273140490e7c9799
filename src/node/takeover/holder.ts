// Who holds a takeover: its proxy and its watchdog, as /proc has them. A process id can come again, and with its start it cannot.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseProcessStat} from '../processes/process-stat.ts'
import type {Journal, ProcessId} from './journal.ts'
import type {ProcessState, TakeoverHolder} from './takeover.ts'

/** @throws the system's error */
export const readBootId = (proc = '/proc'): string => readFileSync(join(proc, 'sys/kernel/random/boot_id'), 'utf8').trim()

/** Undefined when there is no such process, or it has ended and its parent has not noticed. */
export function readProcessId(pid: number, proc = '/proc'): ProcessId | undefined {
  try {
    const stat = parseProcessStat(readFileSync(join(proc, String(pid), 'stat'), 'utf8'))
    if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return undefined
    return {pid, startTicks: stat.startTicks}
  } catch {
    return undefined
  }
}

/** @throws the system's error when /proc does not say which boot this is */
export function holderOf({bootId, proxy, watchdog}: Journal, proc = '/proc'): TakeoverHolder {
  const otherBoot = readBootId(proc) !== bootId
  const state = (process: ProcessId): ProcessState => (!otherBoot && isThere(process, proc) ? 'there' : 'gone')
  return {proxy: state(proxy), ...(watchdog && {watchdog: state(watchdog)}), otherBoot}
}

const isThere = ({pid, startTicks}: ProcessId, proc: string): boolean => readProcessId(pid, proc)?.startTicks === startTicks
