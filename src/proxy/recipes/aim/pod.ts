// The pod that somebody names. Rules know it by its name: the proxy learns the ids as they pass.
import {UserError} from '../../../base/errors.ts'
import {exitCodes} from '../../../base/exit-codes.ts'
import type {Snapshot} from '../../../node/snapshot.ts'
import {type Namespaced, slashed} from '../asked.ts'
import {thereAre} from './listed-words.ts'
import {podsHere, whyNoPods} from './pods-here.ts'

/**
 * What is known of it, in words.
 * @param mayCome whether there may be none yet
 * @throws UserError
 */
export function podWords(pod: Namespaced, snapshot: Snapshot, mayCome: boolean): string {
  const here = podsHere(snapshot)
  const found = here.find(({namespace, name}) => namespace === pod.namespace && name === pod.name)
  if (found !== undefined) {
    const {deletedAt, uid} = found
    return `The pod ${slashed(pod)} is here${deletedAt === undefined ? '' : ' and Terminating'}, with the uid ${uid}.`
  }
  const why = whyNoPods(snapshot)
  if (mayCome)
    return `The pod ${slashed(pod)} is not here${why === undefined ? ' yet' : ', as far as anybody tells'}: the rule waits for it.`
  if (why !== undefined) {
    throw new UserError(`Cannot find the pod ${slashed(pod)} as pods of this node must be known: ${why}`, {
      hint: '`kubelimbo doctor` tells who could be asked, and what it takes',
      exit: exitCodes.blind,
    })
  }
  throw new UserError(`Cannot find the pod as it must be on this node: ${slashed(pod)} is not`, {
    hint: thereAre('pods', here.map(slashed)),
  })
}
