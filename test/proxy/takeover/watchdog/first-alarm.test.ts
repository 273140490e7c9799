import {expect, test} from 'vitest'
import {simulatedClock} from '../../../../src/base/simulated-clock.ts'
import {firstAlarm} from '../../../../src/proxy/takeover/watchdog/first-alarm.ts'

/** A proxy that beats until `until`, and whose pipe ends at `ends`; both in milliseconds. */
function watching({until = Number.POSITIVE_INFINITY, ends = Number.POSITIVE_INFINITY, forMs = 600_000}) {
  const clock = simulatedClock(0)
  const told = new AbortController()
  async function* heartbeats() {
    while (clock.now() < ends) {
      if (clock.now() <= until) yield '.'
      await clock.sleep(Math.min(1000, ends - clock.now()))
    }
  }
  const said: [string, number][] = []
  const alarm = firstAlarm({forMs, heartbeats: heartbeats(), clock, signal: told.signal}).then((why) => said.push([why, clock.now()]))
  return {clock, told, said, alarm}
}

test.each([
  ['the end of the pipe, at once', {ends: 7300}, [['proxy gone', 7300]]],
  ['15 s of silence', {until: 20_000}, [['proxy silent', 36_000]]],
  ['time that is over, some seconds after the proxy should have seen it', {forMs: 30_000}, [['time over', 35_000]]],
  ['nothing, while the proxy beats and has time', {forMs: 3_600_000}, []],
] as const)('firstAlarm() goes off at %s', async (_, proxy, alarms) => {
  const {clock, said} = watching(proxy)
  await clock.run(60_000)
  expect(said).toEqual(alarms)
})

test('firstAlarm() goes off when the watchdog is told to end, before and while it watches', async () => {
  const {clock, told, said} = watching({})
  await clock.run(1500)
  told.abort()
  await clock.run(1500)
  expect(said).toEqual([['told to end', 1500]])
  expect(await firstAlarm({forMs: 1, heartbeats: (async function* () {})(), clock, signal: told.signal})).toBe('told to end')
})

test('firstAlarm() goes by a clock that nobody sets', async () => {
  const inner = simulatedClock(0)
  let set = 0
  const clock = {now: () => inner.now() + set, steady: () => inner.now(), sleep: inner.sleep}
  const said: [string, number][] = []
  async function* beats() {
    for (;;) {
      yield '.'
      await inner.sleep(1000)
    }
  }
  void firstAlarm({forMs: 30_000, heartbeats: beats(), clock, signal: new AbortController().signal}).then((why) =>
    said.push([why, inner.now()]),
  )
  await inner.run(10_000)
  set = -86_400_000
  await inner.run(20_000)
  set = 86_400_000
  await inner.run(34_000)
  expect(said).toEqual([])
  await inner.run(60_000)
  expect(said).toEqual([['time over', 35_000]])
})

test('firstAlarm() takes a pipe that breaks for one that has ended', async () => {
  const clock = simulatedClock(0)
  async function* breaks(): AsyncGenerator<string> {
    yield '.'
    throw new Error('EIO')
  }
  expect(await firstAlarm({forMs: 1000, heartbeats: breaks(), clock, signal: new AbortController().signal})).toBe('proxy gone')
})
