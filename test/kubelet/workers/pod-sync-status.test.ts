import fc from 'fast-check'
import {expect, test} from 'vitest'
import {calculateEffectiveGracePeriod} from '../../../src/kubelet/workers/pod-sync-status.ts'
import {aPod} from '../../support/model-pods.ts'

const podOf = (deletionGracePeriodSeconds?: number) =>
  aPod({metadata: deletionGracePeriodSeconds === undefined ? {} : {deletionGracePeriodSeconds}, spec: {terminationGracePeriodSeconds: 30}})

test.each([
  ['takes what the deletion asks for', 0, 10, undefined, 10],
  ['takes what the kubelet asks for when it is less', 0, 10, 3, 3],
  ['takes what the deletion asks for when that is less', 0, 10, 20, 10],
  ["takes the pod's own when nobody asks", 0, undefined, undefined, 30],
  ['keeps what it has when more is asked for', 5, 10, 20, 5],
  ['gives a second to who is to have none', 0, undefined, 0, 1],
  // As upstream has it: 0 stands for none asked.
  ['takes more than it has after a deletion that gives no time at all', 1, 0, 2, 2],
] as const)('calculateEffectiveGracePeriod() %s', (_, current, deletion, override, expected) => {
  expect(calculateEffectiveGracePeriod(current, podOf(deletion), override).grace).toBe(expected)
})

test('calculateEffectiveGracePeriod() only shrinks and never falls below a second', () => {
  const seconds = fc.option(fc.integer({min: 1, max: 100}), {nil: undefined})
  fc.assert(
    fc.property(fc.array(fc.tuple(seconds, seconds), {minLength: 1}), (asked) => {
      let current = 0
      for (const [deletion, override] of asked) {
        const {grace, shortened} = calculateEffectiveGracePeriod(current, podOf(deletion), override)
        expect(grace).toBeGreaterThanOrEqual(1)
        if (current !== 0) expect(grace).toBeLessThanOrEqual(current)
        expect(shortened).toBe(current !== 0 && grace !== current)
        current = grace
      }
    }),
  )
})
