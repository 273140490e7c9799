// A volume is unpublished everywhere before it is unstaged.
import {causeOfLoss} from '../cause-of-loss.ts'
import type {VolumeInvariant} from '../invariant.ts'

export const unstagedWhilePublished: VolumeInvariant = {
  name: 'unstaged-while-published',
  says: 'no volume is unstaged while a publish of it was done, or may have been, and was not undone',
  check: (life, {events}) => {
    const {volume, debts, unstages} = life
    for (const {at} of unstages) {
      const debt = debts.find((each) => each.inverse === 'NodeUnpublishVolume' && each.begun < at && at < each.ended)
      if (debt === undefined) continue
      const how = `${debt.tries.some((each) => each.at < at) ? 'unpublishing it failed' : 'it was not unpublished'}${causeOfLoss(life, events, debt.begun, at)}`
      return [{how, at, target: debt.path, what: `volume ${volume} is to be unstaged while it may be published`}]
    }
    return []
  },
}
