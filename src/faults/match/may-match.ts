// What must be known of a call before decide() can be asked about it, so that what no rule looks at is not read.

import {perNeedsRequest} from '../count/per.ts'
import type {CountedRule} from '../decide.ts'
import {type CallWords, matchesHead, needsRequest} from './matches.ts'

/**
 * no: no rule is about it, whatever is in it. by-head: what its HEADERS say is enough. by-message: its request must be read first, as must be that of
 * calls which another rule could take by their HEADERS alone: that one may let it pass.
 */
export type MayMatch = 'no' | 'by-head' | 'by-message'

export function mayMatch(rules: readonly Pick<CountedRule, 'rule'>[], call: CallWords): MayMatch {
  let answer: MayMatch = 'no'
  for (const {rule} of rules) {
    if (rule.fault.socket !== undefined || !matchesHead(rule.match, call)) continue
    if (needsRequest(rule.match) || perNeedsRequest(rule.per)) return 'by-message'
    answer = 'by-head'
  }
  return answer
}
