// Watches over a takeover in a process of its own, and gives the socket back when the proxy cannot.
import {dirname} from 'node:path'
import type {Readable, Writable} from 'node:stream'
import type {Clock} from './base/clock.ts'
import {type ExitCode, exitCodes} from './base/exit-codes.ts'
import {readJournalFile} from './node/takeover/parse-journal.ts'
import {giveBack} from './proxy/takeover/give-back.ts'
import {removeJournal} from './proxy/takeover/journal-file.ts'
import {openSideFolder} from './proxy/takeover/open-side-folder.ts'
import {firstAlarm} from './proxy/takeover/watchdog/first-alarm.ts'
import {giveBackAtLast} from './proxy/takeover/watchdog/give-back-at-last.ts'
import {ready} from './proxy/takeover/watchdog/start-watchdog.ts'

export interface TakeoverWatchdogRequest {
  /** The journal's path. */
  readonly journal: string
  /** Milliseconds from now, until the proxy gives back by itself. */
  readonly forMs: number
  readonly input: Readable
  readonly output: Writable
  readonly clock: Clock
  /** It is to give back at once. */
  readonly told: AbortSignal
  /** It is to end, whatever is left to do. */
  readonly enough: AbortSignal
}

/** Nothing is to be said while it watches: whoever it watches over may be gone. */
export async function takeoverWatchdog(request: TakeoverWatchdogRequest): Promise<ExitCode> {
  const {journal: path, forMs, input, output, clock, told, enough} = request
  const began = readJournalFile(path)
  if ('unreadable' in began) return exitCodes.blind
  for (const pipe of [input, output]) pipe.on('error', () => undefined)
  output.write(ready)
  await firstAlarm({forMs, heartbeats: input, clock, signal: told})
  const journal = {
    read: async () => {
      const found = readJournalFile(path)
      if ('journal' in found) return found.journal
      if (found.unreadable === 'ENOENT') return undefined
      throw new Error(found.unreadable)
    },
    remove: () => removeJournal(path),
  }
  const done = await giveBackAtLast({
    began: began.journal,
    journal,
    giveBack: async (now) => {
      await using folder = await openSideFolder({directory: dirname(now.socket), journal: now, clock})
      await giveBack(now, folder, journal.read)
    },
    clock,
    signal: enough,
  })
  return done ? exitCodes.clean : exitCodes.dirty
}
