// Takeover and giving back, again and again, of a server that restarts at random under clients that never try a call twice: each error must have a reason.
// KUBELIMBO_ROUNDS says how many rounds (10000 take a quarter of an hour of a small machine), KUBELIMBO_SEED which.
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {seeded} from '../../../src/base/dice.ts'
import {explained, startConstantCalls} from '../../support/constant-calls.ts'
import {startRestartingServer} from '../../support/restarting-server.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {ends, playRounds, slackMs} from '../../support/takeover-rounds.ts'

const rounds = Number(process.env.KUBELIMBO_ROUNDS ?? 1500)
const seed = Number(process.env.KUBELIMBO_SEED ?? 1)
/** Servers, each with its clients: most of a round is waiting. */
const servers = 3
const watchdogEach = 100

test(
  `takeOver() and giveBack(), ${rounds} times: no call fails that no rule took and no restart of the server explains`,
  async () => {
    const folder = tempDir()
    const reports = await Promise.all(
      Array.from({length: servers}, async (_, at) => {
        const own = join(folder, `${at}`)
        await mkdir(own)
        return playRounds({folder: own, rounds: Math.ceil(rounds / servers), seed: seed * 1000 + at, watchdogEach})
      }),
    )
    const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
    const [seconds, secondsAway] = [sum(reports.map((each) => each.seconds)), sum(reports.map((each) => each.secondsAway))]
    const counts = added(reports.map((each) => new Map(Object.entries(each.counts))))
    const [outcomes, kinds] = [added(reports.map((each) => each.outcomes)), added(reports.map((each) => each.kinds))]
    const restarts = sum(reports.map((each) => each.restarts))
    process.stdout.write(`${JSON.stringify({rounds, seed, servers, seconds, restarts, secondsAway, counts, outcomes, kinds}, null, 2)}\n`)
    expect(reports.flatMap((each) => each.unexplained)).toEqual([])
    // What shows that there was something to be seen.
    expect(counts.throughUs).toBeGreaterThan(rounds)
    expect(counts.byRules).toBeGreaterThan(rounds / 50)
    expect(secondsAway / seconds).toBeLessThan(0.4)
  },
  Math.max(300_000, rounds * 400),
)

function added(maps: readonly ReadonlyMap<string, number>[]): Readonly<Record<string, number>> {
  const all = new Map<string, number>()
  for (const [name, count] of maps.flatMap((map) => [...map])) all.set(name, (all.get(name) ?? 0) + count)
  return Object.fromEntries([...all].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

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
