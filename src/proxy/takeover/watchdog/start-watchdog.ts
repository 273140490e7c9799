// Starts the watchdog: us once more, in a session of its own, with nothing of ours but a pipe that ends when we do.
import {type ChildProcess, spawn} from 'node:child_process'
import {closeSync, openSync} from 'node:fs'
import type {Readable, Writable} from 'node:stream'
import type {Clock} from '../../../base/clock.ts'
import {firstLine, UserError} from '../../../base/errors.ts'
import {exitCodes} from '../../../base/exit-codes.ts'
import type {StartWatchdog, Watchdog} from '../take-over.ts'
import {inherited} from './inherited.ts'

export interface WatchdogCommand {
  /** What starts us once more, as `takeover-watchdog`. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
}

/** The word that it watches. */
export const ready = 'watching\n'

const patience = 20_000
const beatEvery = 1000
/** It has nothing to do any more: it ends as soon as it is awake. */
const partingMs = 3000

export function watchdogStarter({command, env, clock}: WatchdogCommand): StartWatchdog {
  // NODE_OPTIONS may be there to debug us: two cannot have one port.
  const {NODE_OPTIONS: _, ...others} = env
  const [file = '', ...args] = command
  return async ({journalPath, forMs}) => {
    const nothing = openSync('/dev/null', 'r')
    const options = {detached: true, cwd: '/', env: {...others, NODE_ENV: 'production'}}
    const child = spawned(() =>
      spawn(file, [...args, '--journal', journalPath, '--for-ms', `${Math.ceil(forMs)}`], {...options, stdio: [...stdioOf(nothing)]}),
    )
    closeSync(nothing)
    child.unref()
    const [stdin, stdout] = child.stdio as unknown as [Writable, Readable]
    // It died, which its exit tells of.
    for (const pipe of [stdin, stdout]) pipe.on('error', () => undefined)
    const exit = exitOf(child)
    const beating = new AbortController()
    // From the first moment on, as its own clock begins then.
    beat(stdin, clock, beating.signal)
    try {
      await saidReady(stdout, exit, clock)
    } catch (error) {
      beating.abort()
      child.kill('SIGKILL')
      throw error
    }
    stdout.destroy()
    return watchdogOf(child, stdin, exit, clock, beating)
  }
}

/** Most of what can be wrong is told later, by an event. */
function spawned(start: () => ChildProcess): ChildProcess {
  try {
    return start()
  } catch (error) {
    throw noWatchdog(firstLine(error))
  }
}

const noWatchdog = (why: string): UserError =>
  new UserError(`Cannot take the socket over as a watchdog must run that gives it back whatever happens to us: ${why}`, {
    hint: 'nothing was changed; a low limit of open files (ulimit -n) or of processes (ulimit -u) is one cause',
    exit: exitCodes.refused,
  })

/** It is to have two pipes, and nothing of what whoever started us has left open. */
function stdioOf(nothing: number): readonly ('pipe' | 'ignore' | number)[] {
  const others = inherited().filter((descriptor) => descriptor !== nothing)
  const most = Math.max(2, ...others)
  return Array.from({length: most + 1}, (_, at) => (at < 2 ? 'pipe' : others.includes(at) ? nothing : 'ignore'))
}

function watchdogOf(child: ChildProcess, stdin: Writable, exit: Promise<string>, clock: Clock, beating: AbortController): Watchdog {
  let told = false
  return {
    pid: child.pid ?? 0,
    gone: new Promise((resolve) => {
      void exit.then((how) => {
        beating.abort()
        if (!told) resolve(how)
      })
    }),
    [Symbol.asyncDispose]: async () => {
      told = true
      beating.abort()
      stdin.end()
      const woken = new AbortController()
      await Promise.race([exit, clock.sleep(partingMs, woken.signal).catch(() => undefined)])
      woken.abort()
    },
  }
}

const exitOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })

/** Stops without a word when the watchdog is gone. */
function beat(pipe: Writable, clock: Clock, signal: AbortSignal): void {
  const beats = async () => {
    for (;;) {
      pipe.write('.')
      await clock.sleep(beatEvery, signal)
    }
  }
  beats().catch(() => undefined)
}

async function saidReady(stdout: Readable, exit: Promise<string>, clock: Clock): Promise<void> {
  const woken = new AbortController()
  const said = new Promise<undefined>((resolve) => {
    let text = ''
    stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      if (text.endsWith(ready)) resolve(undefined)
    })
  })
  const late = clock.sleep(patience, woken.signal).then(
    () => `it has said nothing within ${patience / 1000} s`,
    () => undefined,
  )
  const failed = await Promise.race([said, exit.then((how) => `it ended with ${how}`), late])
  woken.abort()
  if (failed === undefined) return
  throw noWatchdog(failed)
}
