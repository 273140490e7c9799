// /proc/PID/stat: proc_pid_stat(5).

/** What the kernel counts a process's times in, whatever it ticks with itself (USER_HZ). */
const ticksPerSecond = 100

export interface ProcessStat {
  readonly state: string
  /** Milliseconds after the boot. */
  readonly startedAfterMs: number
  /** As the kernel has it: with the process id it names a process as it cannot come again. */
  readonly startTicks: string
}

/** Undefined when it is torn. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  // A name may hold blanks and parentheses: the last one ends it.
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  const state = fields[0]
  // Field 22, the state being the third.
  const ticks = fields[19]
  if (end === -1 || !state || ticks === undefined || !/^\d+$/.test(ticks)) return undefined
  return {state, startedAfterMs: (Number(ticks) * 1000) / ticksPerSecond, startTicks: ticks}
}
