// The kubelet removes the object of a pod only when its volumes are unpublished.
import {causeOfLoss} from '../cause-of-loss.ts'
import type {VolumeInvariant} from '../invariant.ts'
import {podLives} from '../pod-lives.ts'
import {kubeletsRemoval} from './removed-while-running.ts'

export const removedWhilePublished: VolumeInvariant = {
  name: 'removed-while-published',
  says: 'the kubelet removes no object of a pod while a publish for it was done, or may have been, and was not undone',
  check: (life, {events}) => {
    const {volume, debts} = life
    for (const ofPod of podLives(events)) {
      const removal = kubeletsRemoval(ofPod)?.event
      if (removal === undefined) continue
      const {at} = removal
      const debt = debts.find(
        (each) => each.inverse === 'NodeUnpublishVolume' && each.pod === ofPod.pod && each.begun < at && at < each.ended,
      )
      if (debt === undefined) continue
      const how = `by the kubelet${causeOfLoss(life, events, debt.begun, at)}`
      return [
        {how, at, target: debt.path, what: `the kubelet removes the object of ${ofPod.pod} while volume ${volume} may be published for it`},
      ]
    }
    return []
  },
}
