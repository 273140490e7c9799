// Who holds a takeover: its proxy and its watchdog, as /proc has them. A process id can come again, and with its start it cannot.
import {readFileSync, readlinkSync} from 'node:fs'
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

export const ownPidNamespace = (proc = '/proc'): string | undefined => linkOf(join(proc, 'self/ns/pid'))

/** Of the processes that /proc shows: only root may ask of process 1, and our own says the same unless /proc is another machine's. */
const shownPidNamespace = (proc: string): string | undefined => linkOf(join(proc, '1/ns/pid')) ?? ownPidNamespace(proc)

/** Undefined: its processes are of another pid namespace, where others have these ids. @throws the system's error when /proc does not say which boot this is */
export function holderOf({bootId, pidNamespace, proxy, watchdog}: Journal, proc = '/proc'): TakeoverHolder | undefined {
  const otherBoot = readBootId(proc) !== bootId
  if (!otherBoot && pidNamespace !== undefined && (shownPidNamespace(proc) ?? pidNamespace) !== pidNamespace) return undefined
  const state = (process: ProcessId): ProcessState => (!otherBoot && isThere(process, proc) ? 'there' : 'gone')
  return {proxy: state(proxy), ...(watchdog && {watchdog: state(watchdog)}), otherBoot}
}

const isThere = ({pid, startTicks}: ProcessId, proc: string): boolean => readProcessId(pid, proc)?.startTicks === startTicks

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
