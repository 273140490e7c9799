import {EventEmitter} from 'node:events'
import {expect, test} from 'vitest'
import {UserError} from '../../src/base/errors.ts'
import {wholeRun} from '../../src/scenario/whole-run.ts'

test('wholeRun() is what the run comes to, and nobody listens after it', async () => {
  const process = new EventEmitter()
  expect(await wholeRun('x', async () => 7, process)).toBe(7)
  expect(process.eventNames()).toEqual([])
})

test.each(['unhandledRejection', 'uncaughtException'])('wholeRun() tells of an %s in one sentence, when the run is over', async (event) => {
  const process = new EventEmitter()
  let over = false
  const run = async () => {
    process.emit(event, new TypeError('x is not iterable\nat y'))
    process.emit(event, new Error('another'))
    await Promise.resolve()
    over = true
  }
  await expect(wholeRun("the scenario 'a' on 1.17.3", run, process)).rejects.toThrow(
    /^the scenario 'a' on 1\.17\.3 cannot be played to its end, please report it with what was played: x is not iterable$/,
  )
  expect([over, process.eventNames()]).toEqual([true, []])
})

test('wholeRun() has the stack of what was thrown, and passes on what its user can act on', async () => {
  const bug = await wholeRun('x', () => Promise.reject(new TypeError('odd'))).catch((error: Error) => error)
  expect(bug?.stack).toMatch(/TypeError: odd\n +at /)
  const own = new UserError('Cannot do it')
  await expect(wholeRun('x', () => Promise.reject(own))).rejects.toBe(own)
})
