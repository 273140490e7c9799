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
    using _interrupt = onInterrupt((reason) => heard.push(reason), {now: () => 7})
    process.emit(signal, signal)
    process.emit(signal, signal)
  }
  expect(heard).toMatchObject([{exit}])
  expect(process.listenerCount(signal)).toBe(before)
})
