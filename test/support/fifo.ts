// Node has no call for it.
import {execFileSync} from 'node:child_process'

export function makeFifo(path: string): void {
  execFileSync('/usr/bin/env', ['mkfifo', path])
}
