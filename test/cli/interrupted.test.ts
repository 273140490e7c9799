import {expect, test} from 'vitest'
import {type Interrupted, onInterrupt} from '../../src/cli/interrupted.ts'

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGQUIT', 131],
] as const)('onInterrupt() heeds %s, once, and no longer than it is asked to', (signal, exit) => {
  const heard: Interrupted[] = []
  const before = process.listenerCount(signal)
  {
    using _interrupt = onInterrupt((reason) => heard.push(reason), undefined, {now: () => 7})
    process.emit(signal, signal)
    process.emit(signal, signal)
  }
  expect(heard).toMatchObject([{exit}])
  expect(process.listenerCount(signal)).toBe(before)
})

test('onInterrupt() at the second Ctrl-C cuts short what the first one began, and takes what two tell at once for one', () => {
  const heard: string[] = []
  const at = {now: 0}
  using _interrupt = onInterrupt(
    () => heard.push('stop'),
    () => heard.push('hurry'),
    {now: () => -at.now, steady: () => at.now},
  )
  for (const moment of [0, 400, 1000, 1200]) {
    at.now = moment
    process.emit('SIGINT', 'SIGINT')
  }
  expect(heard).toEqual(['stop', 'hurry'])
})
