// A miniature kubelet with an API server of its own, on a runtime of the test's.
import {join} from 'node:path'
import {systemClock} from '../../src/base/clock.ts'
import {seeded} from '../../src/base/dice.ts'
import {type ScaledClock, scaledClock} from '../../src/base/scaled-clock.ts'
import {type PodStatus, podKey} from '../../src/kubelet/pod.ts'
import type {PodEvent} from '../../src/kubelet/ports.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {type ApiServer, apiServer} from '../../src/lab/api-server/api-server.ts'
import {describeApi} from '../../src/lab/api-server/describe-api.ts'
import {type MiniatureKubeletOptions, startMiniatureKubelet} from '../../src/lab/kubelet/miniature-kubelet.ts'
import {deadlines} from '../../src/lab/port/deadlines.ts'
import {faultyPort} from '../../src/lab/port/faulty-port.ts'
import {ruleBook} from '../../src/lab/port/rule-book.ts'
import type {LogEvent} from '../../src/timeline/event.ts'
import {timeline} from '../../src/timeline/timeline.ts'
import {until} from './until.ts'

export interface Miniature extends AsyncDisposable {
  readonly root: string
  readonly clock: ScaledClock
  readonly api: ApiServer
  /** Its process ends, and another one begins. */
  restart(): Promise<void>
  /** What it logged so far: 'text pod fields'. */
  readonly log: readonly string[]
  /** Of a pod, in the order in which the API server had them. */
  statuses(pod: string): readonly PodStatus[]
  /** Waits until the API server has the pod so. */
  seen(pod: string, is: (status: PodStatus) => boolean): Promise<PodStatus>
  gone(pod: string): Promise<void>
}

export interface MiniatureOptions extends Pick<MiniatureKubeletOptions, 'disk' | 'cgroupParent'> {
  readonly folder: string
  readonly endpoint: string
  readonly version?: string
  readonly clock?: ScaledClock
}

/** Its root is `kubelet` in the folder. By default its time is ten times as fast. */
export async function startMiniature({
  folder,
  endpoint,
  version = '1.36.2',
  clock = scaledClock(systemClock, 10),
  ...more
}: MiniatureOptions): Promise<Miniature> {
  const root = join(folder, 'kubelet')
  const events = timeline(clock.now)
  const api = apiServer(clock, events, seeded(1))
  const port = faultyPort(api.server, {
    clock,
    timeline: events,
    rules: ruleBook([]),
    deadlines: deadlines(clock),
    describe: describeApi,
    asIfDone: api.asIfDone,
  })
  const log: string[] = []
  const over = new AbortController()
  let end = new AbortController()
  let starts = 0
  const start = () =>
    startMiniatureKubelet({
      profile: profileOf(version),
      clock,
      dice: seeded(2).of(`kubelet ${++starts}`),
      nodeName: 'n1',
      api: {call: port.call, watchPods: api.watchPods},
      criEndpoint: endpoint,
      root,
      ...more,
      log: ({text, pod, fields}: Omit<LogEvent, 'kind' | 'at'>) => void log.push([text, pod, fields && JSON.stringify(fields)].join(' ')),
      signal: end.signal,
    })
  await start()
  const changes = new Map<string, PodStatus[]>()
  const remember = ({pod}: PodEvent) => void changes.set(podKey(pod), [...(changes.get(podKey(pod)) ?? []), pod.status])
  api.watchPods(remember, over.signal)
  const waiting = async (why: string, is: () => boolean): Promise<void> => {
    await until(async () => {
      if (!is()) throw new Error(`${why}; the kubelet's log ends with\n${log.slice(-15).join('\n')}`)
    }, 400)
  }
  return {
    root,
    clock,
    api,
    restart: async () => {
      end.abort(new Error('the process of the kubelet has ended'))
      end = new AbortController()
      await start()
    },
    log,
    statuses: (pod) => changes.get(pod) ?? [],
    seen: async (pod, is) => {
      let found: PodStatus | undefined
      await waiting(`${pod} is not so: ${JSON.stringify(api.get(pod)?.status)}`, () => {
        found = changes.get(pod)?.find(is)
        return found !== undefined
      })
      return found as PodStatus
    },
    gone: (pod) => waiting(`${pod} is still there`, () => api.get(pod) === undefined),
    [Symbol.asyncDispose]: async () => {
      end.abort(new Error('the process of the kubelet has ended'))
      over.abort(new Error('nobody watches any more'))
    },
  }
}
