// Descriptors that we were started with and that a child would have, too: a lock of a shell's, a pipe that somebody waits on.
import {readdirSync, readFileSync} from 'node:fs'

/** open(2), as fdinfo writes it. */
const closeOnExec = 0o2000000

/** Beyond the three that every process has. Node has marked its own. */
export function inherited(proc = '/proc/self'): readonly number[] {
  return readdirSync(`${proc}/fd`)
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !isClosed(`${proc}/fdinfo/${descriptor}`))
}

function isClosed(info: string): boolean {
  try {
    const [, flags = ''] = /^flags:\s*([0-7]+)/m.exec(readFileSync(info, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0
  } catch {
    // It was that of the folder that was just read.
    return true
  }
}
