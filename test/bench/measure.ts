// What one run of a command costs: wall time and the processor time of its whole process tree, in milliseconds.
import {execa} from 'execa'

export interface Cost {
  readonly wall: number
  readonly cpu: number
}

// Node does not tell the processor time of a child; bash's time does, to the millisecond.
const script = `TIMEFORMAT='%3R %3U %3S'; time "$@" >/dev/null 2>/dev/null </dev/null`

/** @throws when the command fails: a failure is fast and would look good. */
export async function measure(command: readonly string[]): Promise<Cost> {
  const env = {PATH: process.env.PATH ?? '', LC_ALL: 'C', NODE_ENV: 'production'}
  // With a socket as its stdin bash takes itself for a remote shell and reads .bashrc.
  const {stderr} = await execa('bash', ['--norc', '-c', script, 'bash', ...command], {extendEnv: false, env, stdin: 'ignore'})
  const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = stderr.split(' ').map((seconds) => Number(seconds) * 1000)
  if (Number.isNaN(wall + user + system)) throw new Error(`Cannot measure as bash must print three times: it printed '${stderr}'`)
  return {wall, cpu: user + system}
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? Number.NaN) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
