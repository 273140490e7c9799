// The lab's runtime on a real unix socket and a real clock.
import {type Clock, systemClock} from '../../src/base/clock.ts'
import {seeded} from '../../src/base/dice.ts'
import type {CriMethods} from '../../src/kubelet/cri.ts'
import {criRoutes} from '../../src/lab/cri-service/cri-routes.ts'
import {deadlines} from '../../src/lab/port/deadlines.ts'
import {faultyPort} from '../../src/lab/port/faulty-port.ts'
import {type RuleBook, ruleBook} from '../../src/lab/port/rule-book.ts'
import {describeCri} from '../../src/lab/runtime/describe-cri.ts'
import {fakeRuntime} from '../../src/lab/runtime/fake-runtime.ts'
import {type RuntimeWorld, runtimeWorld} from '../../src/lab/runtime/runtime-world.ts'
import {type Timeline, timeline} from '../../src/timeline/timeline.ts'
import {serveGrpc} from '../../src/wire/serve-grpc.ts'

export interface LabRuntime extends AsyncDisposable {
  readonly path: string
  readonly world: RuntimeWorld
  readonly rules: RuleBook
  readonly timeline: Timeline
}

/** What takes a second takes 20 ms. */
export const hurried: Clock = {now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(ms / 50, signal)}

export async function startLabRuntime(path: string, clock: Clock = systemClock): Promise<LabRuntime> {
  const events = timeline(clock.now)
  const world = runtimeWorld(clock, events)
  const rules = ruleBook()
  const options = {clock, timeline: events, rules, deadlines: deadlines(clock), describe: describeCri(world)}
  const port = faultyPort<CriMethods>(fakeRuntime(world, clock, seeded(1)), options)
  const service = criRoutes({port, world, clock})
  const server = await serveGrpc({path, routes: service.routes})
  return {
    path,
    world,
    rules,
    timeline: events,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      service[Symbol.dispose]()
    },
  }
}
