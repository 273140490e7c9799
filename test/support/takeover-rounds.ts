// One server that restarts at random with its clients, and takeovers of it in this process, one after the other.
import {mkdir, readdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {systemClock} from '../../src/base/clock.ts'
import {type Dice, seeded} from '../../src/base/dice.ts'
import {UserError} from '../../src/base/errors.ts'
import {delay} from '../../src/faults/delay.ts'
import {fail} from '../../src/faults/fail.ts'
import {hang} from '../../src/faults/hang.ts'
import type {Rule} from '../../src/faults/rule.ts'
import type {TracedCall} from '../../src/proxy/call/traced-call.ts'
import {watchdogStarter} from '../../src/proxy/takeover/watchdog/start-watchdog.ts'
import {explained, type FailedCall, startConstantCalls} from './constant-calls.ts'
import {inodeAt} from './injecting.ts'
import {type Away, type EndOfServer, type RestartingServer, startRestartingServer} from './restarting-server.ts'
import {type TakenSocket, takeSocket} from './taken-socket.ts'

export interface RoundsOptions {
  readonly folder: string
  readonly rounds: number
  readonly seed: number
  /** Each so many rounds the watchdog is a process; otherwise there is none: starting one takes longer than all the rest. */
  readonly watchdogEach: number
}

export interface RoundsReport {
  readonly seconds: number
  /** Of takeovers. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly restarts: number
  /** In which the server was away, and a moment longer. */
  readonly secondsAway: number
  readonly counts: Readonly<Record<'dialed' | 'kept' | 'throughUs' | 'byRules' | 'watchdogs', number>>
  /** Why calls failed. */
  readonly kinds: ReadonlyMap<string, number>
  readonly unexplained: readonly string[]
}

/** A client of grpc-go that found nobody waits 2 ms before it tries to connect again, and the machine is busy. */
export const slackMs = 30

export const ends: readonly EndOfServer[] = ['SIGTERM', 'SIGINT', 'SIGKILL']
const command = [process.execPath, join(import.meta.dirname, '../../bin/kubelimbo.js'), 'takeover-watchdog']
const startWatchdog = watchdogStarter({command, env: process.env, clock: systemClock})

/** @throws when something of ours is left after a round, or another socket than the server's is at the path */
export async function playRounds({folder, rounds, seed, watchdogEach}: RoundsOptions): Promise<RoundsReport> {
  const [socket, journals] = [join(folder, 'driver/csi.sock'), join(folder, 'journals')]
  await mkdir(dirname(socket))
  await mkdir(journals, {mode: 0o700})
  const dice = seeded(seed)
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startRestartingServer(socket))
  const clients = [stack.use(await startConstantCalls(socket, 'Dial', '3ms')), stack.use(await startConstantCalls(socket, 'Keep', '5ms'))]
  const restarter = stack.use(new Restarter(server, dice.of('restarts')))
  const taken = new Map<string, {readonly rule: string; readonly code?: string}>()
  const counts = {dialed: 0, kept: 0, throughUs: 0, byRules: 0, watchdogs: 0}
  const onCall = ({service, method, rule}: TracedCall) => {
    counts.throughUs++
    if (rule === undefined) return
    counts.byRules++
    const code = codes[rule]
    taken.set(`${service.replace('rounds.', '')} ${method}`, {rule, ...(code === undefined ? {} : {code})})
  }
  const steps: Step[] = []
  const onStep = (what: string) => void steps.push({at: Date.now(), what})
  const outcomes = new Map<string, number>()
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  const begun = performance.now()
  const choices = dice.of('rounds')
  const leaving = new Set<Promise<void>>()
  for (let round = 0; round < rounds; ) {
    const watched = round % watchdogEach === 0
    try {
      const own = {rules: someRules(choices), seed: round, onCall, onStep, ...(watched ? {startWatchdog} : {})}
      const held = await takeSocket({socket, journals, ...own})
      await Promise.race([systemClock.sleep(choices.roll(20)), held.lost])
      count((await held.giveBack()).outcome)
      if (watched) counts.watchdogs++
      round++
      // The next one may begin while the clients of this one still leave.
      const gone = left(held)
      leaving.add(gone)
      void gone.then(() => leaving.delete(gone))
      if (choices.roll(2) === 0 || leaving.size > 8) await gone
    } catch (error) {
      // Its server is away, or restarts at this moment: nothing was changed.
      if (!(error instanceof UserError)) throw error
      count(`not begun: ${error.message.replace(/^Cannot take .*? over as /, '').replace(/\S*\.kubelimbo-\S+/g, 'NAME')}`)
      await systemClock.sleep(choices.roll(5))
    }
    await restarter.quietly(() => mustBeClean(server, journals, `after round ${round}`))
  }
  await Promise.all(leaving)
  const seconds = (performance.now() - begun) / 1000
  await restarter[Symbol.asyncDispose]()
  await mustBeClean(server, journals, 'at the end')
  ;[counts.dialed = 0, counts.kept = 0] = await Promise.all(clients.map((client) => client.end()))
  const {away} = server
  const failed = clients.flatMap((client) => client.failed)
  const {kinds, unexplained} = explained(failed, {taken, away, slackMs})
  const secondsAway = away.reduce((sum, {from, until}) => sum + until - from + slackMs, 0) / 1000
  return {seconds, outcomes, restarts: away.length, secondsAway, counts, kinds, unexplained: told(unexplained, steps, away)}
}

async function left(held: TakenSocket): Promise<void> {
  await using _ = held
  await held.drain()
}

async function mustBeClean(server: RestartingServer, journals: string, when: string): Promise<void> {
  const names = [...(await readdir(dirname(server.path))), ...(await readdir(journals))]
  if (names.join() !== 'csi.sock') throw new Error(`${when} there are ${names}`)
  const [is, mustBe] = [await inodeAt(server.path), await server.inode]
  if (is !== mustBe) throw new Error(`${when} the inode at the path is ${is}, and the server's is ${mustBe}`)
}

/** Restarts it at random, and lets who looks do so while it does not. */
class Restarter implements AsyncDisposable {
  readonly #server: RestartingServer
  readonly #over = new AbortController()
  readonly #run: Promise<void>
  #turn: Promise<void> = Promise.resolve()

  constructor(server: RestartingServer, dice: Dice) {
    this.#server = server
    this.#run = this.#restartOnAndOn(dice)
  }

  quietly(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort()
    await this.#run
  }

  async #restartOnAndOn(dice: Dice): Promise<void> {
    const {signal} = this.#over
    while (!signal.aborted) {
      await systemClock.sleep(dice.roll(800), signal).catch(() => undefined)
      const how = ends[dice.roll(ends.length)] ?? 'SIGKILL'
      const awayMs = dice.roll(6) === 0 ? dice.roll(250) : dice.roll(10)
      if (!signal.aborted) await this.quietly(() => this.#server.restart(how, awayMs))
    }
  }
}

function someRules(dice: Dice): readonly Rule[] {
  const match = {method: 'C*'}
  switch (dice.roll(6)) {
    case 0:
      return [{name: 'fail', match, probability: 0.5, fault: fail('DATA_LOSS')}]
    case 1:
      return [{name: 'delay', match, probability: 0.5, fault: delay(dice.roll(20))}]
    case 2:
      return [{name: 'hang', match, probability: 0.3, fault: hang()}]
    default:
      return []
  }
}

/** What a rule answers; others hold calls, which are cut off at the end. */
const codes: Readonly<Record<string, string>> = {fail: 'DataLoss'}

interface Step {
  readonly at: number
  readonly what: string
}

/** By what they have in common, with what was done when they ended; the first of each with its times. */
function told(unexplained: readonly FailedCall[], steps: readonly Step[], away: readonly Away[]): readonly string[] {
  const kinds = new Map<string, {count: number; first: string}>()
  for (const {client, number, code, message, begun, ended, dialed} of unexplained) {
    const stepAt = (at: number) => steps.findLast((step) => step.at <= at / 1000)
    const kind = `${client}: ${stepAt(begun)?.what} … ${stepAt(ended)?.what}: ${code}: ${message.replace(/\/tmp\/kl-\w+/g, '')}`
    const back = away.findLast(({until}) => until <= begun / 1000)?.until ?? 0
    const first = `${Math.round(begun / 1000 - back)} ms after the server was back: C${number} from ${begun / 1000} to ${ended / 1000}, ${ended / 1000 - (stepAt(ended)?.at ?? 0)} ms after that began, ${dialed === undefined ? 'no attempt to connect had failed' : `the last attempt to connect failed ${begun / 1000 - dialed.begun / 1000} ms before`}`
    const known = kinds.get(kind) ?? {count: 0, first}
    known.count++
    kinds.set(kind, known)
  }
  return [...kinds].map(([kind, {count, first}]) => `${count} × ${kind} (${first})`)
}
