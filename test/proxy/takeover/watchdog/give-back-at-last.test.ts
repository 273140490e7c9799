import {expect, test} from 'vitest'
import {simulatedClock} from '../../../../src/base/simulated-clock.ts'
import type {Journal} from '../../../../src/node/takeover/journal.ts'
import {giveBackAtLast} from '../../../../src/proxy/takeover/watchdog/give-back-at-last.ts'
import {journalOf} from '../../../support/journal.ts'

const began = journalOf('/csi/csi.sock')

/** @param failures how often giving back fails first */
async function givingBack(found: Journal | undefined, failures = 0, until = 3_600_000, enough = new AbortController()) {
  const clock = simulatedClock(0)
  let left = failures
  let journal = found
  const given: Journal[] = []
  let done: boolean | undefined
  void giveBackAtLast({
    began,
    journal: {
      read: async () => journal,
      remove: async () => {
        journal = undefined
      },
    },
    giveBack: async (now) => {
      if (left-- > 0) throw Object.assign(new Error('EROFS'), {code: 'EROFS'})
      given.push(now)
    },
    clock,
    signal: enough.signal,
  }).then((result) => (done = result))
  await clock.run(until)
  return {done, given, journal, now: clock.now()}
}

test('giveBackAtLast() gives back what the journal says by then, and removes it', async () => {
  const now = {...began, ours: [{device: '1', inode: '9', born: '4'}]}
  expect(await givingBack(now)).toMatchObject({done: true, given: [now], journal: undefined})
})

test('giveBackAtLast() has nothing to do where the journal is gone, or is that of the next takeover', async () => {
  expect(await givingBack(undefined)).toMatchObject({done: true, given: []})
  const next = journalOf('/csi/csi.sock', {proxy: {pid: 7, startTicks: '71'}})
  expect(await givingBack(next)).toMatchObject({done: true, given: [], journal: next})
})

test('giveBackAtLast() tries again every 3 s, and leaves the journal when it is in vain', async () => {
  expect(await givingBack(began, 2, 5999)).toMatchObject({done: undefined, given: [], journal: began})
  expect(await givingBack(began, 2, 6000)).toMatchObject({done: true, given: [began], journal: undefined})
  expect(await givingBack(began, 10_000)).toMatchObject({done: false, given: [], journal: began})
  const enough = new AbortController()
  enough.abort()
  expect(await givingBack(began, 1, 1000, enough)).toMatchObject({done: false, journal: began})
})
