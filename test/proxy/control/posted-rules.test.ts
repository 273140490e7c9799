import {expect, test} from 'vitest'
import {postedRules} from '../../../src/proxy/control/posted-rules.ts'

const rule = (name: string) => ({name, match: {method: 'NodeStageVolume'}, fault: {kind: 'hang-call'}})

test.each([
  ['one rule', JSON.stringify(rule('a'))],
  ['one rule on several lines', JSON.stringify(rule('a'), null, 2)],
  ['a list of rules', JSON.stringify([rule('a')])],
  ['a file of rules', JSON.stringify({rules: [rule('a')]})],
  ['a file of rules in YAML', 'rules:\n  - name: a\n    match: {method: NodeStageVolume}\n    fault: {kind: hang-call}\n'],
])('postedRules() takes %s', (_, text) => {
  expect(postedRules(text)).toMatchObject({rules: [{name: 'a', match: {method: 'NodeStageVolume'}, fault: {kind: 'hang-call'}}]})
})

test.each([
  ['nothing', '', 'the request:1'],
  ['null', 'null', 'the request:1'],
  ['a number', '7', 'the request:1'],
  ['an empty list', '[]', 'the request:1'],
  ['a rule without a fault', '{"name": "a"}', 'the request:1'],
  [
    'a list with a mistake on its third line',
    '[\n{"name": "a", "fault": {"kind": "hang-call"}},\n{"name": "b", "fault": {"kind": "nope"}}]',
    'the request:3',
  ],
  ['text that is no YAML', 'rules: [', 'the request:1'],
  ['a rule with a key that there is not', '{"name": "a", "match": {"metod": "X"}, "fault": {"kind": "hang-call"}}', "it has 'metod'"],
])('postedRules() refuses %s', (_, text, why) => {
  expect(() => postedRules(text)).toThrow(why)
})
