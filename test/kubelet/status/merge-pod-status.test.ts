import {expect, test} from 'vitest'
import type {PodPhase, PodStatus} from '../../../src/kubelet/pod.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {mergePodStatus} from '../../../src/kubelet/status/merge-pod-status.ts'
import {aStatus, running, statusOf, switched} from '../../support/model-pods.ts'

const evicted = aStatus({
  phase: 'Failed',
  reason: 'Evicted',
  message: 'memory',
  conditions: [
    {type: 'Ready', status: 'True'},
    {type: 'ContainersReady', status: 'True'},
  ],
  containerStatuses: [statusOf('c', running)],
})

test('mergePodStatus() keeps the conditions of others and takes the kubelet’s', () => {
  const old = aStatus({
    conditions: [
      {type: 'Ready', status: 'False'},
      {type: 'example.com/gate', status: 'True'},
    ],
  })
  const next = aStatus({
    phase: 'Running',
    conditions: [
      {type: 'Ready', status: 'True'},
      {type: 'example.com/gate', status: 'False'},
    ],
  })
  for (const version of ['1.17.3', '1.36.2']) {
    expect(mergePodStatus(profileOf(version), old, next, () => true, 0)).toEqual({
      ...next,
      conditions: [
        {type: 'example.com/gate', status: 'True'},
        {type: 'Ready', status: 'True'},
      ],
    })
  }
})

test.each<readonly [what: string, old: PodPhase, couldRun: boolean, without: Partial<PodStatus>, with_: Partial<PodStatus>]>([
  ['that may still run', 'Running', true, {phase: 'Failed', reason: 'Evicted'}, {phase: 'Running'}],
  ['that cannot run', 'Running', false, {phase: 'Failed', reason: 'Evicted'}, {phase: 'Failed', reason: 'Evicted'}],
  ['that the API has as Failed', 'Failed', true, {phase: 'Failed', reason: 'Evicted'}, {phase: 'Failed', reason: 'Evicted'}],
])('mergePodStatus() with and without phase-waits-for-containers of a pod %s', (_what, phase, couldRun, ...expected) => {
  const merged = (on: boolean) =>
    mergePodStatus(switched('1.26.5', 'phase-waits-for-containers', on), aStatus({phase}), evicted, () => couldRun, 0)
  const told = [merged(false), merged(true)].map(({phase: is, reason}) => ({phase: is, ...(reason && {reason})}))
  expect(told).toEqual(expected)
  expect(merged(true).containerStatuses).toBe(evicted.containerStatuses)
})

test('mergePodStatus() says of no pod with a terminal phase that it is ready', () => {
  const conditions = (on: boolean) =>
    mergePodStatus(switched('1.26.5', 'phase-waits-for-containers', on), aStatus({phase: 'Running'}), evicted, () => false, 5432).conditions
  expect(conditions(false)).toEqual(evicted.conditions)
  expect(conditions(true)).toEqual([
    {type: 'Ready', status: 'False', reason: 'PodFailed', lastTransitionTime: 5000},
    {type: 'ContainersReady', status: 'False', reason: 'PodFailed', lastTransitionTime: 5000},
  ])
})
