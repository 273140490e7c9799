// The same seed, the same bytes: also in another process, and when the machine has more to do than it can.
import {createHash} from 'node:crypto'
import {Worker} from 'node:worker_threads'
import {expect, test} from 'vitest'
import {start} from '../support/kubelimbo.ts'

const scenarios = [
  'reason-cache-blocks-deletion',
  'failed-becomes-succeeded',
  'deleted-before-status',
  'terminal-pod-still-running',
  'fallback-exit-137',
]
const processes = 40

/** Each keeps one processor busy until it is disposed of. */
function load(): AsyncDisposable {
  const worker = new Worker('for (;;);', {eval: true})
  return {
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}

async function digestOf(seed: number): Promise<string> {
  const {stdout} = await start(['repro', ...scenarios, '--profile', '1.17.3,1.18.2,1.36.2', '--seed', `${seed}`, '-v', '-o', 'json'])
  expect(JSON.parse(stdout)).toMatchObject({kind: expect.any(String)})
  return createHash('sha256').update(stdout).digest('hex')
}

test('repro -v -o json prints the same bytes in 40 processes that get in one another’s way', {timeout: 300_000}, async () => {
  await using _first = load()
  await using _second = load()
  const digests = await Promise.all(Array.from({length: processes}, () => digestOf(7)))
  expect(new Set(digests).size).toBe(1)
})

test('repro prints other bytes with another seed, so that the same are no accident', async () => {
  expect(await digestOf(8)).not.toBe(await digestOf(7))
})
