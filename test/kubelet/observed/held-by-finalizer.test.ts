// Pods that a finalizer holds, as real kubelets did with them: deleted 7 s after their creation, watched 45 s, one run each.
import {expect, test} from 'vitest'
import type {PodManifest} from '../../../src/lab/pod-manifest.ts'
import {fromDeletion, historyOf, type Observation, observeAll, runtimeOf, sh} from '../../support/observed-runs.ts'

type Spec = PodManifest['spec']

interface Row {
  readonly what: string
  readonly spec: Spec
  readonly steps?: Observation['steps']
  /** The kubelet that was seen, the profile that stands for it, and what a watcher saw from the delete on. */
  readonly seen: readonly (readonly [kubelet: string, profile: string, history: readonly string[], never: RegExp])[]
  /** What the runtime did with the container until the end. */
  readonly runtime: readonly string[]
}

const name = 'default/held'
const failed = 'Failed; main terminated 1 Error'
const nothing = /^$/
const lostExit = /made up/

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
    runtime: ['main created', 'main started', 'main exited 1', 'main removed'],
  },
]

for (const {what, spec, steps = [], seen, runtime} of rows) {
  test.each(seen)(`kubelet %s (profile %s), held by a finalizer: ${what}`, async (_kubelet, profile, history, never) => {
    const pods = [{metadata: {name: 'held', finalizers: ['example.com/hold']}, spec}]
    const runs = await observeAll({profile, pods, steps: [[7000, ({client}) => client.deletePod(name)], ...steps], until: 52_000})
    const histories = runs.map((run) => fromDeletion(historyOf(run, name)))
    expect(histories).toContainEqual(history)
    expect(histories.flat().filter((each) => never.test(each))).toEqual([])
    for (const run of runs) {
      expect(runtimeOf(run).flatMap(({container, words}) => (container === undefined ? [] : [words]))).toEqual(runtime)
    }
  })
}
