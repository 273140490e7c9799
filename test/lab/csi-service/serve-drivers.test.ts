import {existsSync} from 'node:fs'
import {expect, test} from 'vitest'
import {systemClock as clock} from '../../../src/base/clock.ts'
import {seeded} from '../../../src/base/dice.ts'
import {serveDrivers} from '../../../src/lab/csi-service/serve-drivers.ts'
import {rootlessDisk} from '../../../src/lab/disk/rootless-disk.ts'
import {type DriverOptions, fakeDriver} from '../../../src/lab/drivers/fake-driver.ts'
import {labDrivers} from '../../../src/lab/drivers/lab-drivers.ts'
import {deadlines} from '../../../src/lab/port/deadlines.ts'
import {ruleBook} from '../../../src/lab/port/rule-book.ts'
import {timeline} from '../../../src/timeline/timeline.ts'
import {socketsAt} from '../../support/fake-driver-node.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'

test.each([
  ['without its registration', false],
  ['with its registration', true],
])('serveDrivers() takes away the socket of a driver that restarts %s, and nobody else’s', async (_, unregister) => {
  const root = tempDir()
  const events = timeline(clock.now)
  const disk = rootlessDisk({root, now: clock.now})
  const shared = {clock, timeline: events, rules: ruleBook(), deadlines: deadlines(clock)}
  const make = (options: DriverOptions) => fakeDriver(options, disk, clock, seeded(1))
  const drivers = labDrivers([{name: 'd'}, {name: 'e'}], [], {...shared, make, dice: seeded(1), nameOf: () => undefined})
  await using served = await serveDrivers({drivers, clock, root, nodeId: 'lab'})
  const there = () =>
    ['d', 'e'].map((name) => {
      const {endpoint = '', registration = ''} = served.get(name) ?? {}
      return [existsSync(endpoint), existsSync(registration)]
    })
  const all = [
    [true, true],
    [true, true],
  ]
  expect(there()).toEqual(all)
  drivers.restart('d', 300, unregister)
  await served.get('d')?.settled()
  expect(there()).toEqual([
    [false, !unregister],
    [true, true],
  ])
  await until(async () => expect(there()).toEqual(all), 100)
  const {drivers: answers} = await socketsAt(root)
  expect(answers.map(({name, answer}) => [name, answer.state])).toEqual([
    ['d', 'answers'],
    ['e', 'answers'],
  ])
})
