// A folder that stands for /proc: a boot, and processes by id with their start.
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {tempDir} from './socket-dir.ts'

export const bootId = '0b3e7a54-6c7e-4ba2-9f1e-1a6a9b1d1c11'

export const statText = (pid: number, startTicks: string, {comm = 'node', state = 'S'} = {}): string =>
  `${pid} (${comm}) ${state} 1 7 7 0 -1 4194560 1 0 0 0 3 2 0 0 20 0 1 0 ${startTicks} 1000 200 18446744073709551615 0\n`

export function procTree(processes: Readonly<Record<number, string>>, boot = bootId): string {
  const proc = tempDir()
  mkdirSync(join(proc, 'sys/kernel/random'), {recursive: true})
  writeFileSync(join(proc, 'sys/kernel/random/boot_id'), `${boot}\n`)
  for (const [pid, text] of Object.entries(processes)) {
    mkdirSync(join(proc, pid))
    writeFileSync(join(proc, pid, 'stat'), text)
  }
  return proc
}
