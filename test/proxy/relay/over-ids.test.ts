import {expect, test} from 'vitest'
import {OverIds} from '../../../src/proxy/relay/over-ids.ts'

test('OverIds knows the last so many, both ways, the latest of a number', () => {
  const ids = new OverIds(2)
  ids.add(1, 5)
  ids.add(3, 1)
  expect([ids.ofClient(1), ids.ofClient(3), ids.ofUpstream(5), ids.ofClient(5)]).toEqual([5, 1, 1, undefined])
  ids.add(5, 3)
  expect([ids.ofClient(1), ids.ofUpstream(5), ids.ofUpstream(3)]).toEqual([undefined, undefined, 5])
})
