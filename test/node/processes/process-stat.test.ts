import {expect, test} from 'vitest'
import {parseProcessStat} from '../../../src/node/processes/process-stat.ts'

const rest = (state: string, ticks: string) =>
  `${state} 1 7 7 0 -1 4194560 1 0 0 0 3 2 0 0 20 0 1 0 ${ticks} 1000 200 18446744073709551615 0`

test.each<[string, string, object | undefined]>([
  ['a process', `7 (nginx) ${rest('S', '12345')}\n`, {state: 'S', startedAfterMs: 123_450, startTicks: '12345'}],
  ['a name with blanks and parentheses', `7 (a) R (b c) ${rest('D', '1')}\n`, {state: 'D', startedAfterMs: 10, startTicks: '1'}],
  ['a name with a line end', `7 (a\n) Z 1) ${rest('Z', '100')}\n`, {state: 'Z', startedAfterMs: 1000, startTicks: '100'}],
  ['an empty name', `7 () ${rest('R', '0')}\n`, {state: 'R', startedAfterMs: 0, startTicks: '0'}],
  ['a text that is torn', '7 (nginx) S 1 7 7', undefined],
  ['nothing', '', undefined],
])('parseProcessStat reads %s', (_, text, expected) => {
  expect(parseProcessStat(text)).toEqual(expected)
})
