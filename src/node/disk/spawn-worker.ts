// A stat worker is the same program once more.
import {spawn} from 'node:child_process'
import type {Readable, Writable} from 'node:stream'
import type {Host} from '../endpoints/host.ts'
import {lineSplitter} from './lines.ts'
import type {WorkerProcess} from './stat-worker.ts'

/**
 * @param command the executable and its arguments.
 * Nothing of ours is handed down but the two pipes: one that hangs for good must hold neither our output nor our directory open.
 */
export function spawnStatWorker([file = '', ...args]: readonly string[], env: Host['env']): WorkerProcess {
  // NODE_OPTIONS may be there to debug us: two cannot have one port.
  const {NODE_OPTIONS: _, ...others} = env
  const child = spawn(file, args, {stdio: ['pipe', 'pipe', 'ignore'], cwd: '/', env: {...others, NODE_ENV: 'production'}})
  const {stdin, stdout}: {stdin: Writable; stdout: Readable} = child
  // It died, which 'close' tells of.
  stdin.on('error', () => undefined)
  stdout.on('error', () => undefined)
  return {
    send: (line) => void stdin.write(`${line}\n`),
    listen: ({line, end}) => {
      stdout.setEncoding('utf8')
      stdout.on('data', lineSplitter(line))
      child.once('error', (error) => end(error.message))
      child.once('close', (code, signal) => end(signal ?? `exit code ${code}`))
    },
    kill: () => void child.kill('SIGKILL'),
    abandon: () => {
      stdin.destroy()
      stdout.destroy()
      child.unref()
    },
  }
}
