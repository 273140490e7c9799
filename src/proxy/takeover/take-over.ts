// Takes a live socket over for a while: journal, watchdog, swap; and gives it back, whatever happens.
import type {Server} from 'node:net'
import {dirname} from 'node:path'
import type {Clock} from '../../base/clock.ts'
import {firstLine, UserError} from '../../base/errors.ts'
import {readProcessId} from '../../node/takeover/holder.ts'
import type {FileId, Journal, TakeoverCommand} from '../../node/takeover/journal.ts'
import type {Place} from '../listen/place.ts'
import {type GivenBack, giveBack} from './give-back.ts'
import {beginJournal} from './journal-keeper.ts'
import {openSideFolder} from './open-side-folder.ts'
import {persistently} from './persistently.ts'
import {refuse} from './refuse.ts'
import type {Dress} from './socket-attributes.ts'
import {type TakenPlace, takePlace} from './take-place.ts'
import {watchJournal} from './watch-journal.ts'
import {watchPlace} from './watch-place.ts'
import {type KeptWatchdog, keepWatchdog} from './watchdog/keep-watchdog.ts'

/** The watchdog is the same program once more, in a session of its own. It holds the reading end of a pipe: when that ends or falls silent, or the time is over, it gives the socket back. */
export interface Watchdog extends AsyncDisposable {
  readonly pid: number
  /** When it is gone before it was told to. */
  readonly gone: Promise<string>
}

export interface WatchdogOptions {
  readonly journalPath: string
  /** Milliseconds from now, by a clock that is not set. */
  readonly forMs: number
}

/** It watches when this resolves. @throws UserError */
export type StartWatchdog = (options: WatchdogOptions) => Promise<Watchdog>

export interface TakeOverOptions {
  /** As mayTakeOver() has found it: absolute, its directory's links resolved. */
  readonly socket: string
  /** What is there. */
  readonly original: FileId
  /** Gives ours its owner, mode and attributes. */
  readonly dress: Dress
  readonly forMs: number
  readonly tool: string
  readonly command: TakeoverCommand
  /** Of journals: there already. */
  readonly journals: string
  readonly pid: number
  readonly clock: Clock
  readonly startWatchdog: StartWatchdog
  readonly onTrouble: (text: string) => void
}

/** Why it is over before somebody has ended it. */
export type TakeoverEnd =
  /** By somebody else. */
  | 'given back'
  /** By us. */
  | 'socket removed'
  | 'server restarted'
  | 'server gone'
  | 'watchdog lost'
  | 'journal lost'

export interface Takeover extends AsyncDisposable {
  readonly journal: Journal
  readonly journalPath: string
  /** Where a proxy is to listen: ours is at the path when it resolves. Once. @throws UserError */
  placeFor(serverFor: () => Server): Promise<Place>
  /** Looked for by a watch of the directory. Rejects when it is lost and could not be given back. */
  readonly lost: Promise<TakeoverEnd>
  /** Idempotent; the listener stays open for who had connected already. @throws UserError with exit code 4 */
  giveBack(): Promise<GivenBack>
}

/** The journal is written and the watchdog watches when this resolves; nothing is changed yet at the socket. @throws UserError, and what was done is undone */
export async function takeOver(options: TakeOverOptions): Promise<Takeover> {
  const {socket, original, dress, forMs, tool, command, journals, pid, clock, startWatchdog, onTrouble} = options
  const directory = dirname(socket)
  await using undo = new AsyncDisposableStack()
  const startedAt = clock.now()
  // Before all else, the trial of how names are swapped here included.
  const keeper = await beginJournal({socket, original, folder: journals, tool, command, pid, startedAt, forMs})
  const opening = openSideFolder({directory, journal: keeper.journal, clock})
  opening.catch(() => keeper.remove().catch(() => undefined))
  const folder = undo.use(
    await opening.catch((error: unknown) => {
      if (error instanceof UserError) throw error
      throw refuse(socket, `a file must be made beside it: ${firstLine(error)}`, 'make the directory writable, or choose another socket')
    }),
  )
  const over = new AbortController()
  const lost = Promise.withResolvers<TakeoverEnd>()
  lost.promise.catch(() => undefined)
  let place: TakenPlace | undefined
  let given: Promise<GivenBack> | undefined

  const giveBackOnce = async (): Promise<GivenBack> => {
    const outcome = await persistently(clock, keeper.journal, () =>
      place === undefined ? giveBack(keeper.journal, folder) : place.giveBack(),
    )
    over.abort()
    await persistently(clock, keeper.journal, () => keeper.remove())
    return outcome
  }
  const giveItBack = (): Promise<GivenBack> => {
    given ??= giveBackOnce().catch((error: unknown) => {
      given = undefined
      throw error
    })
    return given
  }
  let watchdog: KeptWatchdog | undefined
  undo.defer(async () => {
    try {
      await giveItBack()
    } finally {
      // Only now: what we could not do it tries again.
      await watchdog?.[Symbol.asyncDispose]()
    }
  })

  watchdog = await keepWatchdog({
    start: startWatchdog,
    journalPath: keeper.path,
    forMs,
    clock,
    write: async (watching) => {
      const id = readProcessId(watching)
      if (id !== undefined) await keeper.change({watchdog: id})
    },
    isNeeded: async () => !over.signal.aborted && (place === undefined || (await place.isOurs())),
    onTrouble,
  })
  void watchdog.lost.then((why) => {
    onTrouble(`the socket is given back as ${why}`)
    lost.resolve('watchdog lost')
  })
  const all = undo.move()
  return {
    get journal() {
      return keeper.journal
    },
    journalPath: keeper.path,
    lost: lost.promise,
    placeFor: async (serverFor) => {
      const {journal} = keeper
      const write = ({ours}: Journal) => keeper.change({ours})
      const taken = await takePlace({journal, directory, folder, serverFor, dress, write})
      if (!folder.atomic)
        onTrouble(`two names of ${directory} cannot be swapped at once here: a server that restarts in the same moment can lose its socket`)
      place = taken
      watchPlace({directory, place: {isOurs: () => taken.isOurs(), giveBack: giveItBack}, clock, signal: over.signal}).then(
        (outcome) => lost.resolve(endOf(outcome)),
        lost.reject,
      )
      const isOurs = () => taken.isOurs()
      void watchJournal({path: keeper.path, write: () => keeper.change({}), isOurs, clock, signal: over.signal, onTrouble}).then((why) => {
        onTrouble(`the socket is given back as ${why}`)
        lost.resolve('journal lost')
      })
      return taken
    },
    giveBack: giveItBack,
    [Symbol.asyncDispose]: async () => {
      over.abort()
      await all.disposeAsync()
    },
  }
}

function endOf({outcome}: GivenBack): TakeoverEnd {
  if (outcome === 'left alone') return 'server restarted'
  if (outcome === 'server gone') return outcome
  // Who gives back has the original at the path: where we had to put it there, ours was gone.
  return outcome === 'given back' ? 'socket removed' : 'given back'
}
