import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {activeDeadline} from '../../../src/kubelet/status/active-deadline.ts'
import {aPod, aStatus, start} from '../../support/model-pods.ts'

const spec = {activeDeadlineSeconds: 4}

test.each([
  ['one millisecond before', 3999, spec, {startTime: start}, undefined, false],
  ['at the deadline', 4000, spec, {startTime: start}, undefined, true],
  ['of a pod without one', 4000, {}, {startTime: start}, undefined, false],
  ['of a pod that has not started', 4000, spec, {}, undefined, false],
  ['by the cache rather than the API', 4000, spec, {startTime: start}, {startTime: start + 1000}, false],
] as const)('isPast() %s', (_, passed, podSpec, api, cached, expected) => {
  const deadline = activeDeadline(simulatedClock(start + passed), () => (cached === undefined ? undefined : aStatus(cached)))
  expect(deadline.isPast(aPod({spec: podSpec, status: api}))).toBe(expected)
})
