import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {expect, test} from 'vitest'
import {isAlive} from '../../src/cli/is-alive.ts'

test('isAlive() is so of this process, and not of one that has ended', async () => {
  expect(isAlive(process.pid)).toBe(true)
  const child = spawn('true')
  await once(child, 'exit')
  expect(isAlive(child.pid ?? 1)).toBe(false)
})
