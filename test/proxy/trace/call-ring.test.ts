import fc from 'fast-check'
import {expect, test} from 'vitest'
import {callRing} from '../../../src/proxy/trace/call-ring.ts'
import {tracedCall} from '../../support/traced-calls.ts'

test('callRing() keeps the last calls, oldest first', () => {
  fc.assert(
    fc.property(fc.integer({min: 1, max: 6}), fc.nat({max: 20}), (size, count) => {
      const ring = callRing(size)
      const ids = Array.from({length: count}, (_, index) => index + 1)
      for (const id of ids) ring.add(tracedCall({id}))
      expect(ring.kept().map(({id}) => id)).toEqual(ids.slice(-size))
    }),
  )
})

test('callRing() tells whoever listens, until they have enough', () => {
  const ring = callRing(1)
  const heard: number[] = []
  ring.add(tracedCall({id: 1}))
  const enough = ring.listen(({id}) => heard.push(id))
  ring.add(tracedCall({id: 2}))
  ring.add(tracedCall({id: 3}))
  enough()
  ring.add(tracedCall({id: 4}))
  expect(heard).toEqual([2, 3])
})
