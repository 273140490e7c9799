// Faults of the socket: what a client of a driver meets while the rule is in force, and that the driver serves on when it is gone.

import {once} from 'node:events'
import {connect} from 'node:net'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {faultOf} from '../../../src/faults/faults.ts'
import {proxiedDriver} from '../../support/proxied-driver.ts'
import {until} from '../../support/until.ts'

/** What connect(2) says, and what comes within 300 ms. */
async function dial(path: string): Promise<string> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    const said = once(socket, 'data').then(([bytes]) => `said ${String(bytes).length > 0}`)
    return await Promise.race([said, systemClock.sleep(300).then(() => 'silent')])
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? ''
  } finally {
    socket.destroy()
  }
}

test.each([
  ['refuse', 'ECONNREFUSED', 'Unavailable'],
  ['no-socket', 'ENOENT', 'Unavailable'],
  ['accept-silent', 'silent', 'DeadlineExceeded'],
])('serveProxy() %s', async (kind, seen, code) => {
  const {driver, path, rules, stage} = await proxiedDriver(faultOf(kind), {})
  await until(async () => expect(await dial(path)).toBe(seen), 10)
  expect((await stage(800)).code).toBe(code)
  expect(driver.calls()).toEqual([])
  rules.clear()
  await until(async () => expect((await stage()).code).toBe('OK'), 10)
  await until(async () => expect(driver.calls()).toEqual(['NodeStageVolume']), 30)
})
