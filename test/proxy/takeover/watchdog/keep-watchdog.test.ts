import {expect, test} from 'vitest'
import {simulatedClock} from '../../../../src/base/simulated-clock.ts'
import type {Watchdog} from '../../../../src/proxy/takeover/take-over.ts'
import {keepWatchdog} from '../../../../src/proxy/takeover/watchdog/keep-watchdog.ts'

/** @param start the n-th watchdog, from 1; the others live 10 s each */
async function keeping({lives = 10_000, needed = true, failsAt = 0} = {}) {
  const clock = simulatedClock(0)
  const told: string[] = []
  let count = 0
  const kept = await keepWatchdog({
    start: async ({journalPath, forMs}): Promise<Watchdog> => {
      const pid = ++count
      if (pid === failsAt) throw new Error('no more processes')
      told.push(`${pid} watches ${journalPath} for ${forMs}`)
      return {pid, gone: clock.sleep(lives).then(() => 'SIGKILL'), [Symbol.asyncDispose]: async () => void told.push(`${pid} is let go`)}
    },
    journalPath: '/j',
    forMs: 60_000,
    clock,
    write: async (pid) => void told.push(`the journal has ${pid}`),
    isNeeded: async () => needed,
    onTrouble: (text) => told.push(text),
  })
  void kept.lost.then((why) => told.push(why))
  return {clock, told, kept}
}

test('keepWatchdog() starts another one when one is gone, and gives up after the third', async () => {
  const {clock, told} = await keeping()
  await clock.run(100_000)
  expect(told).toEqual([
    '1 watches /j for 60000',
    'the journal has 1',
    'the watchdog 1 is gone (SIGKILL): another one is started',
    '2 watches /j for 50000',
    'the journal has 2',
    'the watchdog 2 is gone (SIGKILL): another one is started',
    '3 watches /j for 40000',
    'the journal has 3',
    'its watchdog was lost 3 times, at last with SIGKILL',
  ])
})

test('keepWatchdog() gives up when no other can be started', async () => {
  const {clock, told} = await keeping({failsAt: 2})
  await clock.run(100_000)
  expect(told.at(-1)).toBe('its watchdog is gone (SIGKILL), and there is no other: no more processes')
  await expect(keeping({failsAt: 1})).rejects.toThrow('no more processes')
})

test('keepWatchdog() starts no other where the socket is given back already, or it was ended', async () => {
  const given = await keeping({needed: false})
  await given.clock.run(100_000)
  expect(given.told).toEqual(['1 watches /j for 60000', 'the journal has 1'])
  const ended = await keeping()
  await ended.kept[Symbol.asyncDispose]()
  await ended.clock.run(100_000)
  expect(ended.told).toEqual(['1 watches /j for 60000', 'the journal has 1', '1 is let go'])
})

test('keepWatchdog() lets go of one that cannot be written into the journal', async () => {
  const told: string[] = []
  const start = async (): Promise<Watchdog> => ({
    pid: 1,
    gone: new Promise(() => undefined),
    [Symbol.asyncDispose]: async () => void told.push('let go'),
  })
  const write = () => Promise.reject(new Error('no space left'))
  const of = {journalPath: '/j', forMs: 60_000, clock: simulatedClock(0), isNeeded: async () => true, onTrouble: () => undefined}
  await expect(keepWatchdog({start, write, ...of})).rejects.toThrow('no space left')
  expect(told).toEqual(['let go'])
})
