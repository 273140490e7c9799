// The node's clock is set while a socket is taken over: by libfaketime, under the whole of inject. How long it takes goes by a clock that nobody sets.
import {mkdir, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {steppedBy} from '../../support/faketime.ts'
import {ask, expectGivenBack, inodeAt, startInjecting, telling} from '../../support/injecting.ts'
import {kubelimbo} from '../../support/kubelimbo.ts'
import {startRestartingServer} from '../../support/restarting-server.ts'
import {tempDir} from '../../support/socket-dir.ts'

const forMs = 8000

test.each([
  ['back by an hour', '-3600'],
  ['back by ten years', '-315360000'],
  ['forward by an hour', '+3600'],
])('inject --socket gives back when its time is over, though the clock is set %s', async (_how, offset) => {
  const folder = tempDir()
  const socket = join(folder, 'driver/csi.sock')
  const journals = join(folder, 'journals')
  await mkdir(dirname(socket))
  await using _server = await startRestartingServer(socket)
  const inode = await inodeAt(socket)
  const file = join(folder, 'offset')
  await writeFile(file, '+0')
  const begun = performance.now()
  const inject = await startInjecting({socket, journals, args: [...telling, '--for', `${forMs}ms`], env: steppedBy(file)})
  const started = performance.now()
  await writeFile(file, offset)
  await systemClock.sleep(2000)
  expect(await ask(socket)).toBe('DataLoss')
  expect(await inject.ended).toMatchObject({exitCode: 0})
  const ended = performance.now()
  expect(ended - begun).toBeGreaterThanOrEqual(forMs)
  expect(ended - started).toBeLessThan(forMs + 8000)
  await expectGivenBack(socket, journals, inode)
})

test('steppedBy() steps the clock of the command', async () => {
  const file = join(tempDir(), 'offset')
  await writeFile(file, '-315360000')
  const {stdout} = await kubelimbo(['-e', 'process.stdout.write(Date.now() + " " + performance.now())'], steppedBy(file), [
    process.execPath,
  ])
  const [now = 0, since = Number.POSITIVE_INFINITY] = stdout.split(' ').map(Number)
  expect(Date.now() - now).toBeGreaterThan(315_000_000_000)
  expect(since).toBeLessThan(60_000)
})
