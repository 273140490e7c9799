// A lab on the real clock: the API server on a socket, the kubelet of the model and the fake runtime behind it in this process.
import {randomBytes} from 'node:crypto'
import {join} from 'node:path'
import {systemClock} from '../../src/base/clock.ts'
import {seeded} from '../../src/base/dice.ts'
import type {Rule} from '../../src/faults/rule.ts'
import type {CriMethods} from '../../src/kubelet/cri.ts'
import {startKubelet} from '../../src/kubelet/kubelet.ts'
import type {ApiMethods} from '../../src/kubelet/ports.ts'
import {profileOf, profileVersions} from '../../src/kubelet/profiles.ts'
import {newToken, writeKubeconfig} from '../../src/lab/api/kubeconfig.ts'
import {type ApiOptions, serveApi} from '../../src/lab/api/serve-api.ts'
import {apiServer} from '../../src/lab/api-server/api-server.ts'
import {describeApi} from '../../src/lab/api-server/describe-api.ts'
import {memoryDisk} from '../../src/lab/disk/memory-disk.ts'
import {deadlines} from '../../src/lab/port/deadlines.ts'
import {faultyPort} from '../../src/lab/port/faulty-port.ts'
import {ruleBook} from '../../src/lab/port/rule-book.ts'
import {describeCri} from '../../src/lab/runtime/describe-cri.ts'
import {fakeRuntime} from '../../src/lab/runtime/fake-runtime.ts'
import {runtimeWorld} from '../../src/lab/runtime/runtime-world.ts'
import {timeline} from '../../src/timeline/timeline.ts'

export interface ApiLabOptions extends Partial<ApiOptions> {
  readonly rules?: readonly Rule[]
  /** Default: it runs. */
  readonly kubelet?: boolean
}

export type ApiLab = Awaited<ReturnType<typeof startApiLab>>

export async function startApiLab({rules = [], kubelet = true, ...options}: ApiLabOptions = {}) {
  const clock = systemClock
  const events = timeline(clock.now)
  const dice = seeded(1)
  const server = apiServer(clock, events, dice.of('api'))
  const world = runtimeWorld(clock, events)
  const shared = {clock, timeline: events, rules: ruleBook(rules), deadlines: deadlines(clock)}
  const port = faultyPort<ApiMethods>(server.server, {...shared, describe: describeApi, asIfDone: server.asIfDone})
  const cri = faultyPort<CriMethods>(fakeRuntime(world, clock, dice.of('runtime')), {...shared, describe: describeCri(world)})
  const tokens = {user: newToken(randomBytes), kubelet: newToken(randomBytes)}
  const endpoint = await serveApi({server, port, clock, dice: dice.of('http'), tokens, ...options})
  const running = new AbortController()
  if (kubelet) {
    const profile = profileOf(profileVersions.at(-1) ?? '')
    const ports = {
      clock,
      dice: dice.of('kubelet'),
      api: {call: port.call, watchPods: server.watchPods},
      cri,
      csi: () => undefined,
      disk: memoryDisk(clock.now, events.disk),
      log: events.log,
      believe: events.belief,
    }
    startKubelet({profile, config: {}, nodeName: 'lab', runtimeName: 'lab', ports, signal: running.signal})
  }
  return {
    endpoint,
    tokens,
    events,
    server,
    port,
    /** @returns the path of a kubeconfig in that folder */
    kubeconfig: async (folder: string): Promise<string> => {
      const path = join(folder, 'kubeconfig')
      await writeKubeconfig(path, endpoint.kubeconfigFor(tokens.user))
      return path
    },
    [Symbol.asyncDispose]: async () => {
      running.abort(new Error('the lab has ended'))
      await endpoint[Symbol.asyncDispose]()
    },
  }
}
