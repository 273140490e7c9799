import {setImmediate} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {takeoverLock} from '../../../src/proxy/takeover/lock.ts'
import {manualClock} from '../../support/manual-clock.ts'

const id = (process.pid % 2 ** 32).toString(16).padStart(8, '0')

test('takeoverLock() is had by one at a time', async () => {
  const clock = manualClock()
  const first = await takeoverLock(id, clock)
  let second: AsyncDisposable | undefined
  void takeoverLock(id, clock).then((lock) => {
    second = lock
  })
  await clock.advance(100)
  expect(second).toBeUndefined()
  await first[Symbol.asyncDispose]()
  for (let turn = 0; turn < 100 && second === undefined; turn++) {
    await clock.advance(20)
    await setImmediate()
  }
  expect(second).toBeDefined()
  await second?.[Symbol.asyncDispose]()
})

test('takeoverLock() does not wait for ever', async () => {
  const clock = manualClock()
  await using _ = await takeoverLock(`${id}-held`, clock)
  const refused = expect(takeoverLock(`${id}-held`, clock, 50)).rejects.toMatchObject({
    message: `Cannot touch the takeover ${id}-held as nobody else must be at it: somebody has been for 0 seconds`,
    exit: 4,
  })
  for (let turn = 0; turn < 10; turn++) await clock.advance(20)
  await refused
})
