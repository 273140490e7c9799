import {expect, test} from 'vitest'
import {RecentIds} from '../../src/http2/recent-ids.ts'

test('RecentIds keeps the last ones and forgets the others', () => {
  const ids = new RecentIds(2)
  for (const id of [1, 3, 1, 5]) ids.add(id)
  expect([1, 3, 5].map((id) => ids.has(id))).toEqual([true, false, true])
})
