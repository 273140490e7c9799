import {once} from 'node:events'
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {execa} from 'execa'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {seeded} from '../../../src/base/dice.ts'
import {UserError} from '../../../src/base/errors.ts'
import {codeOfConnecting} from '../../support/raw-sockets.ts'
import {realTakeover} from '../../support/real-takeover.ts'
import {tempDir} from '../../support/socket-dir.ts'

test('takePlace() and giveBack() leave a process that restarts all the time its path, in a hundred rounds', async () => {
  const directory = tempDir()
  const path = join(directory, 'csi.sock')
  const child = execa(process.execPath, [join(import.meta.dirname, '../../support/restarting-server-main.ts'), path], {
    buffer: false,
    reject: false,
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await child
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk
  })
  await once(child.stdout, 'data')
  const dice = seeded(9)
  const outcomes = new Map<string, number>()
  const count = (what: string) => outcomes.set(what, (outcomes.get(what) ?? 0) + 1)
  // How often the server restarts within a round is for the machine to say.
  const seen = () => outcomes.has('given back') && outcomes.has('left alone')
  for (let round = 0; round < 100 || (round < 2000 && !seen()); round++) {
    const takeover = await realTakeover(directory, path).catch((error: Error) => {
      if (!error.message.startsWith('nothing is at')) throw error
    })
    if (takeover === undefined) continue
    try {
      const place = await takeover.take()
      await systemClock.sleep(dice.roll(20))
      count((await place.giveBack()).outcome)
      await place.close('no-socket')
    } catch (error) {
      if (!(error instanceof UserError) || error.exit !== 5) throw error
      count('refused')
    }
    expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([])
  }
  child.stdin.end()
  while (!said.includes('stays')) await once(child.stdout, 'data')
  expect(said).toBe('listens\nstays\n')
  expect(await codeOfConnecting(path)).toBe('served')
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['given back', 'left alone']))
})
