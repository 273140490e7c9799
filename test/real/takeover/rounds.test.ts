// Takeover and giving back, again and again, of a server that restarts at random under clients that never try a call twice: each error must have a reason.
// As many rounds as KUBELIMBO_ROUNDS says. In each tenth the watchdog is a process, otherwise there is none: starting one takes longer than all the rest.
import {mkdir, readdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {type Dice, seeded} from '../../../src/base/dice.ts'
import {UserError} from '../../../src/base/errors.ts'
import {delay} from '../../../src/faults/delay.ts'
import {fail} from '../../../src/faults/fail.ts'
import {hang} from '../../../src/faults/hang.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import type {TracedCall} from '../../../src/proxy/call/traced-call.ts'
import {watchdogStarter} from '../../../src/proxy/takeover/watchdog/start-watchdog.ts'
import {explained, type FailedCall, startConstantCalls} from '../../support/constant-calls.ts'
import {inodeAt} from '../../support/injecting.ts'
import {type EndOfServer, type RestartingServer, startRestartingServer} from '../../support/restarting-server.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {takeSocket} from '../../support/taken-socket.ts'

const rounds = Number(process.env.KUBELIMBO_ROUNDS ?? 1500)
const seed = Number(process.env.KUBELIMBO_SEED ?? 1)
const realWatchdogEach = 100
/** A client of grpc-go that found nobody waits 2 ms before it tries to connect again, and the machine is busy. */
const slackMs = 30

const ends: readonly EndOfServer[] = ['SIGTERM', 'SIGINT', 'SIGKILL']
const command = [process.execPath, join(import.meta.dirname, '../../../bin/kubelimbo.js'), 'takeover-watchdog']
const startWatchdog = watchdogStarter({command, env: process.env, clock: systemClock})

/** Restarts it until the signal comes, and lets who looks do so while it does not. */
class Restarter {
  readonly #server: RestartingServer
  #turn: Promise<void> = Promise.resolve()
  constructor(server: RestartingServer) {
    this.#server = server
  }

  async run(dice: Dice, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await systemClock.sleep(dice.roll(400), signal).catch(() => undefined)
      if (!signal.aborted)
        await this.quietly(() =>
          this.#server.restart(ends[dice.roll(ends.length)] ?? 'SIGKILL', dice.roll(4) === 0 ? dice.roll(250) : dice.roll(10)),
        )
    }
  }

  quietly(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
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

const codes: Readonly<Record<string, string>> = {fail: 'DataLoss'}

test(
  `takeOver() and giveBack(), ${rounds} times: no call fails that no rule took and no restart of the server explains`,
  async () => {
    const folder = tempDir()
    const [socket, journals] = [join(folder, 'driver/csi.sock'), join(folder, 'journals')]
    await mkdir(dirname(socket))
    await mkdir(journals, {mode: 0o700})
    const dice = seeded(seed)
    await using server = await startRestartingServer(socket)
    const restarter = new Restarter(server)
    const clients = await Promise.all([startConstantCalls(socket, 'Dial'), startConstantCalls(socket, 'Keep')])
    await using _ends = new AsyncDisposableStack()
    for (const client of clients) _ends.use(client)
    const over = new AbortController()
    const restarts = restarter.run(dice.of('restarts'), over.signal)
    const restarted = async () => {
      over.abort()
      await restarts
    }
    _ends.defer(restarted)
    const taken = new Map<string, {readonly rule: string; readonly code?: string}>()
    const steps: Step[] = []
    const onStep = (what: string) => void steps.push({at: Date.now(), what})
    const counts = {calls: 0, byRules: 0, watchdogs: 0}
    const outcomes = new Map<string, number>()
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const onCall = ({service, method, rule}: TracedCall) => {
      counts.calls++
      if (rule === undefined) return
      counts.byRules++
      const code = codes[rule]
      taken.set(`${service.replace('rounds.', '')} ${method}`, {rule, ...(code === undefined ? {} : {code})})
    }
    const begun = performance.now()
    const choices = dice.of('rounds')
    for (let round = 0; round < rounds; ) {
      const real = false && round % realWatchdogEach === 0
      try {
        await using socketTaken = await takeSocket({
          socket,
          journals,
          rules: someRules(choices),
          seed: round,
          onCall,
          onStep,
          ...(real ? {startWatchdog} : {}),
        })
        if (real) counts.watchdogs++
        await Promise.race([systemClock.sleep(choices.roll(15)), socketTaken.lost])
        count((await socketTaken.leave()).outcome)
        round++
      } catch (error) {
        // Its server is away, or restarts at this moment: nothing was changed.
        if (!isRefused(error)) throw error
        count(`not begun: ${error.message.replace(/^.* as /, '').replace(socket, 'SOCKET')}`)
        await systemClock.sleep(choices.roll(5))
      }
      await restarter.quietly(async () => {
        expect([await readdir(dirname(socket)), await readdir(journals)], `after round ${round}`).toEqual([['csi.sock'], []])
        expect(await inodeAt(socket), `after round ${round}`).toBe(await server.inode)
      })
    }
    const seconds = (performance.now() - begun) / 1000
    await restarted()
    const totals = await Promise.all(clients.map((client) => client.end()))
    const away = server.away.reduce((sum, {from, until}) => sum + until - from + slackMs, 0) / 1000
    const {kinds, unexplained} = explained(
      clients.flatMap(({failed}) => failed),
      {taken, away: server.away, slackMs},
    )
    const [dialed, kept] = totals
    const report = {
      rounds,
      seed,
      seconds,
      outcomes: Object.fromEntries(outcomes),
      restarts: server.away.length,
      secondsAway: away,
      dialed,
      kept,
      ...counts,
      kinds,
    }
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    expect(told(unexplained, steps)).toEqual([])
    // What shows that there was something to be seen.
    expect(counts.calls).toBeGreaterThan(rounds)
    expect(counts.byRules).toBeGreaterThan(rounds / 100)
    expect(away / seconds).toBeLessThan(0.5)
  },
  Math.max(240_000, rounds * 500),
)

interface Step {
  readonly at: number
  readonly what: string
}

/** By what they have in common, with what was done when they ended; the first of each with its times. */
function told(unexplained: readonly FailedCall[], steps: readonly Step[]): readonly string[] {
  const kinds = new Map<string, {count: number; first: string}>()
  for (const {client, number, code, message, begun, ended} of unexplained) {
    const stepAt = (at: number) => steps.findLast((step) => step.at <= at / 1000)
    const kind = `${client}: ${stepAt(begun)?.what} … ${stepAt(ended)?.what}: ${code}: ${message.replace(/\/tmp\/kl-\w+/g, '')}`
    const first = `C${number} from ${begun / 1000} to ${ended / 1000}, ${ended / 1000 - (stepAt(ended)?.at ?? 0)} ms after that began`
    const known = kinds.get(kind) ?? {count: 0, first}
    known.count++
    kinds.set(kind, known)
  }
  return [...kinds].map(([kind, {count, first}]) => `${count} × ${kind} (${first})`)
}

const isRefused = (error: unknown): error is UserError => error instanceof UserError

test('explained() leaves nothing unexplained of clients and a server that restarts with nothing between', async () => {
  const socket = join(tempDir(), 's')
  await using server = await startRestartingServer(socket)
  const clients = await Promise.all([startConstantCalls(socket, 'Dial'), startConstantCalls(socket, 'Keep')])
  const dice = seeded(2)
  for (let restart = 0; restart < 30; restart++) {
    await systemClock.sleep(dice.roll(100))
    await server.restart(ends[restart % ends.length] ?? 'SIGKILL', dice.roll(10))
  }
  for (const client of clients) expect(await client.end()).toBeGreaterThan(30)
  const failed = clients.flatMap((client) => client.failed)
  expect(failed.length).toBeGreaterThan(30)
  expect(explained(failed, {taken: new Map(), away: server.away, slackMs}).unexplained).toEqual([])
  expect(explained(failed, {taken: new Map(), away: [], slackMs}).unexplained).toEqual(failed)
})
