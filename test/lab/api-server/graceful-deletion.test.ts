import {expect, test} from 'vitest'
import type {Pod, PodPhase} from '../../../src/kubelet/pod.ts'
import {deletion} from '../../../src/lab/api-server/graceful-deletion.ts'

const now = 1_000_000
const pod = (phase: PodPhase, more: Partial<Pod['metadata']> = {}): Pod => ({
  metadata: {namespace: 'default', name: 'a', uid: 'u', resourceVersion: 1, creationTimestamp: 0, ...more},
  spec: {restartPolicy: 'Never', terminationGracePeriodSeconds: 30, containers: []},
  status: {phase, conditions: [], initContainerStatuses: [], containerStatuses: []},
})
const held = {finalizers: ['example.com/hold']}
/** Deleted two seconds ago. */
const going = (grace: number) => ({deletionTimestamp: now - 2000 + grace * 1000, deletionGracePeriodSeconds: grace})

// From BeforeDelete, CheckGracefulDelete, updateForGracefulDeletionAndFinalizers and markAsDeleting: when the grace ends (seconds from now), the grace
// in seconds, whether it goes; 'same': nothing is written.
test.each<[string, Pod, number | undefined, [number, number] | 'same', boolean]>([
  ["with the pod's grace", pod('Running'), undefined, [30, 30], false],
  ['with a grace asked for', pod('Running'), 10, [10, 10], false],
  ['with a longer grace than its own', pod('Running'), 60, [60, 60], false],
  ['while it is pending', pod('Pending'), undefined, [30, 30], false],
  ['with grace 0: it goes at once', pod('Running'), 0, [0, 0], true],
  ['with a negative grace: as with 1', pod('Running'), -5, [1, 1], false],
  ['that has failed: it goes at once', pod('Failed'), undefined, [0, 0], true],
  ['that has succeeded, whatever the grace asked for', pod('Succeeded'), 60, [0, 0], true],
  ['that is held', pod('Running', held), undefined, [30, 30], false],
  ['that has failed and is held', pod('Failed', held), 30, [0, 0], false],
  ['with grace 0 that is held', pod('Running', held), 0, [0, 0], false],
  ['again, with no grace: nothing', pod('Running', going(30)), undefined, 'same', false],
  ['again, with a longer grace: nothing', pod('Running', going(30)), 60, 'same', false],
  ['again, with the same grace: nothing', pod('Running', going(30)), 30, 'same', false],
  ['again, with a shorter grace, counted from the first', pod('Running', going(30)), 10, [8, 10], false],
  ['again, with a shorter grace that is over', pod('Running', going(30)), 1, [0, 1], false],
  ['again, after it has failed: nothing, as only the first delete looks at the phase', pod('Failed', going(30)), undefined, 'same', false],
  ['by the kubelet at the end', pod('Running', going(30)), 0, [0, 0], true],
  ['by the kubelet at the end, held', pod('Running', {...going(30), ...held}), 0, [0, 0], false],
  ['again with its grace over, held: nothing', pod('Running', {...going(0), ...held}), undefined, 'same', false],
  ['again with its grace over and nothing that holds it: it goes', pod('Running', going(0)), undefined, 'same', true],
])('deletion() of a pod %s', (_, before, grace, expected, removed) => {
  const outcome = deletion(before, grace, now)
  expect(outcome.removed).toBe(removed)
  if (expected === 'same') expect(outcome.pod).toBe(before)
  else {
    const [ends, seconds] = expected
    const {deletionTimestamp, deletionGracePeriodSeconds} = outcome.pod.metadata
    expect([deletionTimestamp, deletionGracePeriodSeconds]).toEqual([now + ends * 1000, seconds])
    expect({...outcome.pod.metadata, deletionTimestamp: 0, deletionGracePeriodSeconds: 0}).toEqual({
      ...before.metadata,
      deletionTimestamp: 0,
      deletionGracePeriodSeconds: 0,
    })
  }
})

test('deletion() writes whole seconds', () => {
  expect(deletion(pod('Running'), undefined, now + 999).pod.metadata.deletionTimestamp).toBe(now + 30_000)
})
