import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import type {GivenBack} from '../../../src/proxy/takeover/give-back.ts'
import {watchPlace} from '../../../src/proxy/takeover/watch-place.ts'

/** @param ours at each look, the last one from then on; 'EACCES' for one that fails */
function watching(ours: readonly (boolean | 'EACCES')[]) {
  const clock = simulatedClock(0)
  const stop = new AbortController()
  let looks = 0
  let change = () => {}
  const said: [GivenBack | string, number][] = []
  const place = {
    isOurs: async () => {
      const now = ours[Math.min(looks++, ours.length - 1)] ?? true
      if (now === 'EACCES') throw Object.assign(new Error(now), {code: now})
      return now
    },
    giveBack: async (): Promise<GivenBack> => ({outcome: 'left alone', alive: true}),
  }
  const watchFolder = (_: string, onChange: () => void) => {
    change = onChange
    return {[Symbol.dispose]: () => said.push(['closed', clock.now()])}
  }
  watchPlace({directory: '/csi', place, clock, signal: stop.signal, watchFolder}).then(
    (outcome) => said.push([outcome, clock.now()]),
    (error: Error) => said.push([error.message, clock.now()]),
  )
  return {clock, stop, said, change: () => change(), looks: () => looks}
}

const lost = {outcome: 'left alone', alive: true} as const

test('watchPlace() looks every half second, and stands down when the place is lost for more than a moment', async () => {
  const {clock, said} = watching([true, true, false])
  await clock.run(10_000)
  expect(said).toEqual([
    ['closed', 1200],
    [lost, 1200],
  ])
})

test('watchPlace() looks at once when the directory changes', async () => {
  const {clock, said, change} = watching([true, false])
  await clock.run(100)
  change()
  await clock.run(300)
  expect(said).toEqual([
    ['closed', 300],
    [lost, 300],
  ])
})

test('watchPlace() takes no look that fails, and no moment without a socket, for a loss', async () => {
  const {clock, said, looks} = watching([true, 'EACCES', false, true, true])
  await clock.run(10_000)
  expect(said).toEqual([])
  expect(looks()).toBeGreaterThan(15)
})

test('watchPlace() never resolves when nobody wants to know any more', async () => {
  const {clock, stop, said} = watching([true, false])
  await clock.run(600)
  stop.abort(new Error('over'))
  await clock.run(10_000)
  expect(said).toEqual([['closed', 600]])
})
