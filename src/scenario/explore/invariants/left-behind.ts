// In the end the driver has nothing staged or published that nobody uses. What was forgotten on the way is told by other invariants.
import {causeOfLoss} from '../cause-of-loss.ts'
import {lastDisturbance} from '../disturbances.ts'
import type {VolumeInvariant} from '../invariant.ts'
import {stuckAfter} from '../patience.ts'

export const leftBehind: VolumeInvariant = {
  name: 'left-behind',
  says: 'a driver has no volume staged or published three minutes after the last pod that used it is gone and the driver is well',
  check: (life, {events, end}) => {
    const {volume, left, unusedSince, doubtsEnded, debts} = life
    const isPublished = (left?.publishedAt.length ?? 0) > 0
    if (unusedSince === undefined || left === undefined || (left.stagedAt === undefined && !isPublished)) return []
    const since = Math.max(unusedSince, lastDisturbance(events, end))
    if (end - since <= stuckAfter) return []
    const state = isPublished ? 'published' : 'staged'
    const from = Math.min(...debts.map(({begun}) => begun), end)
    const cause = doubtsEnded.length > 0 ? ', after a final answer' : causeOfLoss(life, events, from, end)
    const target = left.publishedAt[0] ?? left.stagedAt
    return [
      {how: `${state}${cause}`, at: since + stuckAfter, ...(target === undefined ? {} : {target}), what: `volume ${volume} stays ${state}`},
    ]
  },
}
