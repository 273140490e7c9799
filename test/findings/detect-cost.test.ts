import {expect, test} from 'vitest'
import {detectCost} from '../bench/detect-cost.ts'

// vitest runs each file in a process of its own: the processor time is that of detect().
test('detect() costs at most 12 times as much on 5,000 pods as on 500: nothing in it is quadratic', {timeout: 60_000}, () => {
  const small = detectCost(500)
  expect(detectCost(5000) / small).toBeLessThanOrEqual(12)
})
