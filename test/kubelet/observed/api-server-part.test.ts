// What the API server does with pods that are deleted, as it was seen with real kubelets: no finalizers.
import {expect, test} from 'vitest'
import type {PodManifest} from '../../../src/lab/api-server/pod-manifest.ts'
import {fromDeletion, goneAfter, historyOf, type Observation, observeAll, runtimeOf, sh} from '../../support/observed-runs.ts'

const name = 'default/web'
const profiles = ['1.17.3', '1.18.2'] as const

const observeOne = (profile: string, spec: PodManifest['spec'], steps: Observation['steps'], until: number) =>
  observeAll({profile, pods: [{metadata: {name: 'web'}, spec}], steps, until})

test.each(profiles)(
  'kubelet %s: a pod with a deadline of 4 s, deleted 3 s after it is Failed, goes at once; its container runs through its grace of 20 s',
  async (profile) => {
    const deletedAt = 8000
    const spec: PodManifest['spec'] = {
      activeDeadlineSeconds: 4,
      terminationGracePeriodSeconds: 20,
      containers: [{name: 'main', command: sh("trap '' TERM; while :; do sleep 1; done")}],
    }
    const runs = await observeOne(profile, spec, [[deletedAt, ({client}) => client.deletePod(name)]], 60_000)
    for (const run of runs) {
      expect(fromDeletion(historyOf(run, name))).toEqual(['Failed/DeadlineExceeded; main running', 'gone'])
      expect((goneAfter(run, name) ?? Number.NaN) - deletedAt).toBeLessThan(10)
      const exit = runtimeOf(run).find(({words}) => words === 'main exited 137')
      expect((exit?.at ?? 0) - run.created - deletedAt).toBeGreaterThan(15_000)
    }
  },
)

test.each(profiles)('kubelet %s: a Never pod that is Failed goes at once, whatever its grace', async (profile) => {
  const deletedAt = 8000
  const spec: PodManifest['spec'] = {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 20,
    containers: [{name: 'main', command: sh('exit 1')}],
  }
  for (const run of await observeOne(profile, spec, [[deletedAt, ({client}) => client.deletePod(name)]], 20_000)) {
    expect(fromDeletion(historyOf(run, name))).toEqual(['Failed; main terminated 1 Error', 'gone'])
    expect((goneAfter(run, name) ?? Number.NaN) - deletedAt).toBeLessThan(10)
  }
})

test.each([
  ...profiles.map((profile) => [profile, 'Pending; main waiting ContainerCreating'] as const),
  ['1.21.2', 'Failed; main waiting ContainerCreating after terminated 137 ContainerStatusUnknown, made up'] as const,
])(
  'kubelet %s: a Never pod whose container is removed behind its back and which is deleted right after goes from Running to %s',
  async (profile, status) => {
    const spec: PodManifest['spec'] = {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      containers: [{name: 'main', command: ['sleep', 'infinity']}],
    }
    const steps: Observation['steps'] = [
      [8000, ({runtime}) => runtime.removeContainer(name, 'main')],
      [8020, ({client}) => client.deletePod(name)],
    ]
    const histories = (await observeOne(profile, spec, steps, 40_000)).map((run) => fromDeletion(historyOf(run, name)))
    expect(histories).toContainEqual(['Running; main running', status, 'gone'])
    expect(histories.flat().filter((each) => each.includes('terminated 0'))).toEqual([])
  },
)
