// Pods that a finalizer holds, as real kubelets did with them: deleted 7 s after their creation, watched 45 s, one run each.
import {expect, test} from 'vitest'
import type {PodManifest} from '../../../src/lab/api-server/pod-manifest.ts'
import {fromDeletion, historyOf, type Observation, type Observed, observeAll, runtimeOf, sh} from '../../support/observed-runs.ts'

type Spec = PodManifest['spec']

type Seen = readonly [kubelet: string, profile: string, history: readonly string[], never: RegExp]

interface Row {
  readonly what: string
  readonly spec: Spec
  readonly steps?: Observation['steps']
  /** The kubelet that was seen, the profile that stands for it, and what a watcher saw from the delete on. */
  readonly seen: readonly Seen[]
  /** What the runtime knows, whatever the kubelet says. */
  readonly exit: string
}

const name = 'default/held'
const failed = 'Failed; main terminated 1 Error'
const pastDeadline = 'Failed/DeadlineExceeded; main running'
const otherExit = /terminated (?!1 Error|0, made up)/
const lostExit = /made up/

const past: Row = {
  what: 'Always, activeDeadlineSeconds 4, container ignores TERM, grace 15 s',
  spec: {
    restartPolicy: 'Always',
    activeDeadlineSeconds: 4,
    terminationGracePeriodSeconds: 15,
    containers: [{name: 'main', command: sh("trap '' TERM; while :; do sleep 1; done")}],
  },
  seen: [
    // Failed before the delete; the runtime goes on saying RUNNING until the grace of the first kill is over.
    ['1.17.3', '1.17.3', [pastDeadline, 'Failed/DeadlineExceeded; main terminated 0, made up'], /^(?!Failed)/],
    ['1.18.2', '1.18.2', [pastDeadline], /terminated/],
    // Today the phase waits for the containers: deleted while the API says Running.
    ['1.32.13', '1.36.2', ['Running; main running', 'Failed/DeadlineExceeded; main terminated 137 Error'], /made up/],
  ],
  exit: 'main exited 137',
}

const rows: readonly Row[] = [
  {
    what: 'Never, exited 1 and Failed before the delete; its container removed from the runtime 1 s after it',
    spec: {restartPolicy: 'Never', containers: [{name: 'main', command: sh('exit 1')}]},
    steps: [[8000, ({runtime}) => runtime.removeContainer(name, 'main')]],
    seen: [
      ['1.17.3', '1.17.3', [failed, 'Failed; main terminated 0, made up'], /^(?!Failed)/],
      ['1.18.2', '1.18.2', [failed], lostExit],
      ['1.32.13', '1.36.2', [failed], lostExit],
    ],
    exit: 'main exited 1',
  },
  past,
  {
    what: 'Never, running at the delete; exits 1 on TERM, grace 10 s',
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 10,
      containers: [{name: 'main', command: sh("trap 'exit 1' TERM; while :; do sleep 1; done")}],
    },
    seen: [
      ['1.17.3', '1.17.3', ['Running; main running', failed, 'Failed; main terminated 0, made up'], otherExit],
      ['1.18.2', '1.18.2', ['Running; main running', 'Pending; main waiting ContainerCreating'], lostExit],
      ['1.32.13', '1.36.2', ['Running; main running', failed], lostExit],
    ],
    exit: 'main exited 1',
  },
]

for (const {what, spec, steps = [], seen, exit} of rows) {
  test.each(seen)(`kubelet %s (profile %s), held by a finalizer: ${what}`, async (_kubelet, profile, history, never) => {
    const runs = await held(profile, spec, steps)
    const histories = runs.map((run) => fromDeletion(historyOf(run, name)))
    expect(histories).toContainEqual(history)
    expect(histories.flat().filter((each) => never.test(each))).toEqual([])
    for (const run of runs) expect(exitsOf(run)).toEqual([exit])
  })
}

test.each(rows)('kubelet 1.17.3 has a made-up success in the end, held by a finalizer: $what', async ({spec, steps = []}) => {
  const ends = (await held('1.17.3', spec, steps)).map((run) => historyOf(run, name).at(-1))
  expect(ends.filter((each) => !each?.endsWith('main terminated 0, made up'))).toEqual([])
})

test('kubelet 1.17.3 tells of an exit 0 while the runtime says RUNNING', async () => {
  for (const run of await held('1.17.3', past.spec, [])) {
    const told = run.node.timeline.events.find((event) => event.kind === 'object' && JSON.stringify(event.object).includes('"exitCode":0'))
    const exited = runtimeOf(run).find(({words}) => words === past.exit)
    expect(told?.at).toBeLessThan(exited?.at ?? 0)
  }
})

function held(profile: string, spec: Spec, steps: Observation['steps']): Promise<Observed[]> {
  const pods = [{metadata: {name: 'held', finalizers: ['example.com/hold']}, spec}]
  return observeAll({profile, pods, steps: [[7000, ({client}) => client.deletePod(name)], ...steps], until: 52_000})
}

const exitsOf = (run: Observed) => runtimeOf(run).flatMap(({what, container, words}) => (what === 'exited' && container ? [words] : []))
