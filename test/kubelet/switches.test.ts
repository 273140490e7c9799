// Each switch of the status half on the whole model: a small history of one pod that is another when the switch is turned.
import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {fail} from '../../src/faults/fail.ts'
import {loseReply} from '../../src/faults/lose-reply.ts'
import type {Rule} from '../../src/faults/rule.ts'
import type {Pod} from '../../src/kubelet/pod.ts'
import type {SwitchName} from '../../src/kubelet/switches.ts'
import type {PodManifest} from '../../src/lab/api-server/pod-manifest.ts'
import {switched} from '../support/model-pods.ts'
import {goneAfter, historyOf, type Observation, type Observed, observe, runtimeOf, sh} from '../support/observed-runs.ts'
import {callsOf, logsOf} from '../support/played-lab.ts'
import {statusHalf} from '../support/status-half.ts'

interface Row {
  readonly name: SwitchName
  /** All else is as in this one. */
  readonly version: string
  readonly spec: PodManifest['spec']
  readonly held?: boolean
  readonly pods?: number
  readonly rules?: readonly Rule[]
  readonly steps?: Observation['steps']
  readonly until?: number
  /** What the history is told by. */
  readonly told: (run: Observed) => unknown
  readonly with: unknown
  readonly without: unknown
}

const pod = 'default/a'
const remove = (moment: number): Observation['steps'][number] => [moment, ({client}) => client.deletePod(pod)]
const removeContainer = (moment: number, container = 'main'): Observation['steps'][number] => [
  moment,
  ({runtime}) => runtime.removeContainer(pod, container),
]
const failing = (method: string, code: string): Rule => ({
  name: method,
  match: {to: 'cri', method, pod},
  limit: 1,
  fault: fail(code, `${method} failed`),
})

const main = (script: string) => ({name: 'main', command: sh(script)})
const ignoresTerm = main("trap '' TERM; while :; do sleep 1; done")
const exits = main('exit 1')
const bad = {name: 'bad', command: ['no-such-command']}

const history = (run: Observed) => historyOf(run, pod)
const last = (run: Observed) => history(run).findLast((each) => each !== 'gone' && each !== 'deleted')
const isGone = (run: Observed) => goneAfter(run, pod) !== undefined
const statuses = ({node}: Observed) =>
  node.timeline.events.flatMap((event) => (event.kind === 'object' ? [(event.object as Pod).status] : []))

const rows: readonly Row[] = [
  {
    name: 'deleted-ignores-reasons',
    version: '1.18.2',
    spec: {restartPolicy: 'Never', terminationGracePeriodSeconds: 5, containers: [bad, ignoresTerm]},
    rules: [{name: 'lost', match: {to: 'cri', method: 'StopPodSandbox', pod}, limit: 1, fault: loseReply()}],
    steps: [remove(8000)],
    until: 200_000,
    told: isGone,
    with: true,
    without: false,
  },
  {
    name: 'ends-keep-exits',
    version: '1.18.2',
    spec: {restartPolicy: 'Never', containers: [exits]},
    held: true,
    steps: [remove(8000)],
    told: last,
    with: 'Failed; main terminated 1 Error',
    without: 'Failed; main terminated 0, made up',
  },
  {
    name: 'equal-not-patched',
    version: '1.18.2',
    spec: {restartPolicy: 'Never', containers: [exits]},
    steps: [remove(8000)],
    held: true,
    told: (run) => callsOf(run.node, 'PATCH pod/status').some(({at}) => at > run.created + 8000),
    with: false,
    without: true,
  },
  {
    name: 'ends-after-containers',
    version: '1.18.2',
    spec: {activeDeadlineSeconds: 4, terminationGracePeriodSeconds: 15, containers: [ignoresTerm]},
    held: true,
    steps: [remove(8000)],
    told: last,
    with: 'Failed/DeadlineExceeded; main running',
    without: 'Failed/DeadlineExceeded; main terminated 137 ContainerStatusUnknown, made up',
  },
  {
    name: 'missing-killed',
    version: '1.21.2',
    spec: {restartPolicy: 'Never', containers: [ignoresTerm]},
    held: true,
    steps: [removeContainer(8000), remove(8020)],
    told: last,
    with: 'Failed; main waiting ContainerCreating after terminated 137 ContainerStatusUnknown, made up',
    without: 'Pending; main waiting ContainerCreating',
  },
  {
    name: 'waiting-ends-killed',
    version: '1.26.5',
    spec: {restartPolicy: 'Never', containers: [{name: 'main', image: 'registry.invalid/none:1'}]},
    held: true,
    steps: [remove(8000)],
    told: last,
    with: 'Pending; main terminated 137 ContainerStatusUnknown, made up',
    without: 'Pending; main waiting ContainerCreating',
  },
  {
    name: 'dead-not-awaited',
    version: '1.26.5',
    spec: {restartPolicy: 'Never', terminationGracePeriodSeconds: 2, containers: [ignoresTerm]},
    steps: [remove(8000)],
    told: (run) => {
      const removed = runtimeOf(run).find(({words}) => words === 'main removed')?.at ?? Number.POSITIVE_INFINITY
      return (goneAfter(run, pod) ?? Number.POSITIVE_INFINITY) + run.created < removed
    },
    with: true,
    without: false,
  },
  {
    name: 'created-waits',
    version: '1.26.5',
    spec: {restartPolicy: 'Never', containers: [ignoresTerm]},
    rules: [failing('StartContainer', 'UNAVAILABLE')],
    told: (run) => history(run)[2],
    with: 'Pending; main waiting RunContainerError',
    without: 'Pending; main waiting RunContainerError after terminated 0, with 1 of containerID and times',
  },
  {
    name: 'phase-kept',
    version: '1.26.5',
    spec: {containers: [ignoresTerm]},
    steps: [[8000, ({kubelet}) => kubelet.evict(pod, 'memory')]],
    told: last,
    with: 'Failed/Evicted; main terminated 137 Error',
    without: 'Running; main terminated 137 Error',
  },
  {
    name: 'phase-waits-for-containers',
    version: '1.26.5',
    spec: {activeDeadlineSeconds: 4, terminationGracePeriodSeconds: 15, containers: [ignoresTerm]},
    told: (run) => history(run).slice(3),
    with: ['Failed/DeadlineExceeded; main terminated 137 Error'],
    without: ['Failed/DeadlineExceeded; main running', 'Failed/DeadlineExceeded; main terminated 137 Error'],
  },
  {
    name: 'initialised-only-ends',
    version: '1.36.2',
    spec: {terminationGracePeriodSeconds: 2, initContainers: [{name: 'first', command: ['sleep', 'infinity']}], containers: [ignoresTerm]},
    held: true,
    steps: [remove(8000)],
    told: last,
    with: 'Failed; main waiting PodInitializing',
    without: 'Failed; main terminated 137 ContainerStatusUnknown, made up',
  },
  {
    name: 'deleted-when-finished',
    version: '1.36.2',
    spec: {terminationGracePeriodSeconds: 2, containers: [ignoresTerm]},
    steps: [remove(8000)],
    told: (run) => logsOf(run.node, 'Delaying pod deletion as the phase is non-terminal').length > 0,
    with: true,
    without: false,
  },
  {
    name: 'ends-failed',
    version: '1.36.2',
    spec: {containers: [{name: 'main', image: 'registry.invalid/none:1'}]},
    steps: [remove(8000)],
    told: (run) => [last(run), isGone(run)],
    with: ['Failed; main terminated 137 ContainerStatusUnknown, made up', true],
    without: ['Pending; main terminated 137 ContainerStatusUnknown, made up', false],
  },
  {
    name: 'missing-restarted',
    version: '1.26.5',
    spec: {containers: [ignoresTerm]},
    steps: [removeContainer(8000)],
    told: (run) => [...new Set(statuses(run).map(({containerStatuses}) => containerStatuses[0]?.restartCount ?? 0))],
    with: [0, 1],
    without: [0],
  },
  {
    name: 'failed-is-unready',
    version: '1.36.2',
    spec: {activeDeadlineSeconds: 4, terminationGracePeriodSeconds: 15, containers: [ignoresTerm]},
    told: (run) =>
      statuses(run)
        .flatMap(({conditions}) => conditions.filter(({type}) => type === 'Ready'))
        .at(-1)?.reason,
    with: 'PodFailed',
    without: 'ContainersNotReady',
  },
  {
    name: 'last-state-kept',
    version: '1.36.2',
    spec: {containers: [main('sleep 1; exit 1')]},
    steps: [removeContainer(8000)],
    until: 30_000,
    told: (run) => history(run).findLast((each) => each.startsWith('Running; main running')),
    with: 'Running; main running after terminated 1 Error',
    without: 'Running; main running',
  },
  {
    name: 'client-fifty-qps',
    version: '1.26.5',
    spec: {containers: [ignoresTerm]},
    pods: 20,
    told: (run) =>
      run.node.timeline.events.filter((event) => event.kind === 'call' && event.to === 'api' && event.at < run.created + 900).length > 15,
    with: true,
    without: false,
  },
  {
    name: 'terminal-synced',
    version: '1.21.2',
    spec: {activeDeadlineSeconds: 4, terminationGracePeriodSeconds: 5, containers: [ignoresTerm]},
    told: last,
    with: 'Failed/DeadlineExceeded; main terminated 137 Error',
    without: 'Failed/DeadlineExceeded; main running',
  },
  {
    name: 'gone-is-stopped',
    version: '1.26.5',
    spec: {terminationGracePeriodSeconds: 2, containers: [ignoresTerm]},
    rules: [failing('StopPodSandbox', 'NOT_FOUND')],
    steps: [remove(8000)],
    told: (run) => logsOf(run.node, 'Error syncing pod, skipping').length,
    with: 0,
    without: 1,
  },
  {
    name: 'grace-floor-last',
    version: '1.36.2',
    spec: {containers: [ignoresTerm]},
    steps: [[8000, ({kubelet}) => kubelet.evict(pod, 'memory')]],
    told: (run) => callsOf(run.node, 'StopContainer').map(({request}) => request.timeout),
    with: [2],
    without: [1],
  },
]

async function played(
  {name, version, spec, held, pods = 1, rules = [], steps = [], until = 90_000, told}: Row,
  on: boolean,
): Promise<unknown> {
  const manifests = Array.from({length: pods}, (_, index) => ({
    metadata: {name: String.fromCharCode('a'.charCodeAt(0) + index), ...(held && {finalizers: ['example.com/hold']})},
    spec,
  }))
  return told(await observe({profile: switched(version, name, on), pods: manifests, rules, steps, until}, 1))
}

test.each(rows)('startKubelet() on $version with and without $name', async (row) => {
  expect(row.with).not.toEqual(row.without)
  expect(await played(row, true)).toEqual(row.with)
  expect(await played(row, false)).toEqual(row.without)
})

/** Whose tests, each with and without it, are where they are read. */
const onTheirOwnPart: Readonly<Partial<Record<SwitchName, string>>> = {
  'channel-flushed': 'status/status-sync',
  'loop-inside-closure': 'status/status-sync',
  'channel-wakes-only': 'status/status-sync',
  'pod-worker-states': 'kubelet',
  'exits-read-after-kill': 'kubelet',
  'init-inferred': 'status/convert-container-statuses',
  'done-needs-no-sandbox': 'runtime/compute-pod-actions',
  'back-off-awaited': 'workers/requeue',
  'volumes-awaited': 'workers/stateful-sync',
  'terminal-synced-anew': 'kubelet',
  'orphans-terminated': 'kubelet',
  'relist-on-demand': 'kubelet',
  'inits-not-rerun': 'runtime/compute-pod-actions',
  'probes-sync-pods': 'kubelet',
  'kills-awaited': 'kubelet',
  'housekeeping-lists-anew': 'workers/stateful-lifecycle',
}

test('switches of the status half have a test each', () => {
  expect([...rows.map(({name}) => name), ...Object.keys(onTheirOwnPart)].sort()).toEqual(statusHalf.toSorted())
})

test.each(Object.entries(onTheirOwnPart))('%s has its test in %s.test.ts', (name, file) => {
  const tests = readFileSync(new URL(`./${file}.test.ts`, import.meta.url), 'utf8')
  expect(tests).toMatch(new RegExp(`switched\\([^)]*'${name}', (on|true|false)`))
})
