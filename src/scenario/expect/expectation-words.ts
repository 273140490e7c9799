// An expectation in words, where its scenario has none.
import type {Expectation, Moment} from '../schema/expectation.ts'
import {diskWords, matcherWords, seenWords} from './matcher-words.ts'
import {secondsOf} from './run-record.ts'

export function expectationWords(expectation: Expectation): string {
  if ('eventually' in expectation) {
    const {eventually, after, within} = expectation
    return [matcherWords(eventually), within === undefined ? '' : ` within ${secondsOf(within)}`, momentWords(' after', after)].join('')
  }
  if ('onDisk' in expectation) {
    const {onDisk, at} = expectation
    return `${diskWords(onDisk)} on the disk${at === undefined ? ' in the end' : momentWords(' at', at)}`
  }
  const window = momentWords(' since', expectation.since) + momentWords(' until', expectation.until)
  if ('never' in expectation) return `never ${matcherWords(expectation.never)}${window}`
  if ('ordered' in expectation) return `${expectation.ordered.map(matcherWords).join(', then ')}${window}`
  if ('last' in expectation) return `in the end ${seenWords(expectation.last)}${window}`
  const {of, min, max} = expectation.count
  const least = min === undefined ? '' : ` at least ${min}`
  const most = max === undefined ? '' : ` at most ${max}`
  return `${matcherWords(of)}, as often as${least}${most}${window}`
}

function momentWords(word: string, moment: Moment | undefined): string {
  if (moment === undefined) return ''
  return `${word} ${typeof moment === 'number' ? secondsOf(moment) : matcherWords(moment)}`
}
