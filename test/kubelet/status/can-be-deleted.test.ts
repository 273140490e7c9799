import {expect, test, vi} from 'vitest'
import type {PodPhase} from '../../../src/kubelet/pod.ts'
import {canBeDeleted} from '../../../src/kubelet/status/can-be-deleted.ts'
import {aPod, aStatus, deleted, switched} from '../../support/model-pods.ts'

const answer = (on: boolean, phase: PodPhase, {isDeleted = true, finished = false, reclaimed = false}) => {
  const profile = switched('1.26.5', 'deleted-when-finished', on)
  const safety = {podResourcesAreReclaimed: () => reclaimed, podCouldHaveRunningContainers: () => false}
  const pod = aPod({status: {phase}})
  return canBeDeleted(profile, safety)(isDeleted ? deleted(pod) : pod, aStatus({phase: 'Failed'}), finished)
}

test.each<readonly [PodPhase, facts: Parameters<typeof answer>[2], without: boolean, with_: boolean]>([
  ['Running', {reclaimed: true, finished: true}, true, false],
  ['Pending', {reclaimed: true, finished: true}, true, false],
  ['Failed', {reclaimed: true, finished: true}, true, true],
  ['Succeeded', {finished: true}, false, true],
  ['Failed', {reclaimed: true}, true, false],
  ['Failed', {}, false, false],
  ['Failed', {isDeleted: false, reclaimed: true, finished: true}, false, false],
])('canBeDeleted() with and without deleted-when-finished: %s in the API, %o', (phase, facts, ...expected) => {
  expect([answer(false, phase, facts), answer(true, phase, facts)]).toEqual(expected)
})

test('canBeDeleted() says what it waits for, to who listens', () => {
  const log = vi.fn()
  const safety = {podResourcesAreReclaimed: () => true, podCouldHaveRunningContainers: () => false}
  void canBeDeleted(switched('1.36.2', 'deleted-when-finished', true), safety)(deleted(aPod()), aStatus({phase: 'Failed'}), true, log)
  expect(log.mock.calls).toEqual([
    [
      {
        text: 'Delaying pod deletion as the phase is non-terminal',
        pod: 'default/web',
        fields: {phase: 'Pending', localPhase: 'Failed'},
      },
    ],
  ])
})
