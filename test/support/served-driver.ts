// A driver of the lab on its sockets below a folder, on the real clock, with faults and a timeline in front of it.
import {systemClock} from '../../src/base/clock.ts'
import {seeded} from '../../src/base/dice.ts'
import type {CsiMethods} from '../../src/kubelet/csi.ts'
import type {RegistrationStatus} from '../../src/lab/csi-service/registration-routes.ts'
import {serveDriver} from '../../src/lab/csi-service/serve-driver.ts'
import {rootlessDisk} from '../../src/lab/disk/rootless-disk.ts'
import {describeCsi} from '../../src/lab/drivers/describe-csi.ts'
import {type DriverOptions, fakeDriver} from '../../src/lab/drivers/fake-driver.ts'
import {deadlines} from '../../src/lab/port/deadlines.ts'
import {faultyPort} from '../../src/lab/port/faulty-port.ts'
import {ruleBook} from '../../src/lab/port/rule-book.ts'
import {timeline} from '../../src/timeline/timeline.ts'

/** Its calls take a millisecond each, unless something else is said. */
const takes = {NodeStageVolume: 1, NodeUnstageVolume: 1, NodePublishVolume: 1, NodeUnpublishVolume: 1}

export async function servedDriver(root: string, options: Partial<DriverOptions> = {}) {
  const clock = systemClock
  const name = options.name ?? 'lab.csi.example.com'
  const events = timeline(clock.now)
  const rules = ruleBook()
  const disk = rootlessDisk({root, now: clock.now, tell: events.disk})
  const driver = fakeDriver({takes, ...options, name}, disk, clock, seeded(1))
  const describe = describeCsi(name, () => undefined)
  const port = faultyPort<CsiMethods>(driver.node, {clock, timeline: events, rules, deadlines: deadlines(clock), describe})
  const told: RegistrationStatus[] = []
  const served = await serveDriver({driver, port, clock, root, nodeId: 'lab', onStatus: (status) => told.push(status)})
  return {...served, port, driver, disk, rules, timeline: events, told, [Symbol.asyncDispose]: served[Symbol.asyncDispose]}
}
